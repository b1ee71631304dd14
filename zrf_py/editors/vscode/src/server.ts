/** Starts the language server; nothing here depends on the editor. */
import { spawn } from "node:child_process";

export interface Start {
  command: string;
  args: string[];
}

/** Return the process to start, from the words of the setting `zrf.command`. */
export function serverStart(words: readonly string[] | undefined): Start {
  const [command, ...args] = words && words.length ? words : ["zrf"];
  return { command, args: [...args, "lsp"] };
}

/** The reason why the server can't be started; undefined if it can. */
export function whyNot(start: Start): Promise<string | undefined> {
  return new Promise((resolve) => {
    const [help, ...rest] = [start.args.slice(0, -1), ["lsp", "--help"]];
    const child = spawn(start.command, [...help, ...rest.flat()], { stdio: "ignore" });
    child.on("error", () =>
      resolve(`\`${start.command}\` can't be started: install zrf_py, or set its path in the setting zrf.command`));
    child.on("exit", (code) => resolve(code === 0 ? undefined : `\`${start.command}\` has no language server: it is too old`));
  });
}
