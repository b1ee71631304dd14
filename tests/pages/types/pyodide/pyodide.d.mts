export const loadPyodide: (options: { indexURL: string, env: Record<string, string> }) => Promise<any>;
