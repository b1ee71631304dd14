/** The extension: starts the language server, and shows boards beside the text. */
import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { serverStart, whyNot } from "./server";

const PLAY = "zrf.play";
const BOARD = "zrf.board";

interface Picture {
  title: string;
  svg: string;
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<LanguageClient | undefined> {
  context.subscriptions.push(
    vscode.commands.registerCommand("zrf.openBoard", openBoard),
    vscode.commands.registerCommand("zrf.restart", async () => {
      await client?.restart();
    }),
  );
  const start = serverStart(vscode.workspace.getConfiguration("zrf").get<string[]>("command"));
  const problem = await whyNot(start);
  if (problem) {
    void vscode.window.showErrorMessage(problem);
    return undefined;
  }
  client = new LanguageClient("zrf", "ZRF", start, options());
  // the server then returns boards, and the editor shows them
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object), zrfBoards: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  await client.start();
  return client;
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [{ language: "zrf" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{zrf,inc}") },
    middleware: {
      executeCommand: async (command, args, next) => {
        const found = await next(command, args);
        if (command === PLAY && typeof found === "string") await showAddress(found);
        if (command === BOARD && found) showPicture(found as Picture);
        return found;
      },
    },
  };
}

/** Open the board of the current file: of the game at the cursor, or of the first one. */
async function openBoard(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) return;
  await editor.document.save();
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider", editor.document.uri, 100);
  const games = (lenses ?? []).filter((lens) => lens.command?.command === PLAY);
  const above = games.filter((lens) => lens.range.start.line <= editor.selection.active.line);
  const game = above.at(-1) ?? games[0];
  if (!game) {
    void vscode.window.showInformationMessage("There is no game to show: fix the problems first.");
    return;
  }
  const address = await client.sendRequest(ExecuteCommandRequest.type, {
    command: PLAY, arguments: [uri, game.command?.arguments?.[1]],
  });
  if (typeof address === "string") await showAddress(address);
}

/** Show a page of the board server beside the text. The page is updated when the file is saved. */
async function showAddress(address: string): Promise<void> {
  const uri = await vscode.env.asExternalUri(vscode.Uri.parse(address));
  await vscode.commands.executeCommand("simpleBrowser.api.open", uri, {
    viewColumn: vscode.ViewColumn.Beside, preserveFocus: true,
  });
}

function showPicture(picture: Picture): void {
  const panel = vscode.window.createWebviewPanel("zrf.board", picture.title, {
    viewColumn: vscode.ViewColumn.Beside, preserveFocus: true,
  });
  // drawings contain no scripts, and the page allows none
  panel.webview.html = `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<body>${picture.svg}</body>`;
}
