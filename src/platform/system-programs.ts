/** Programs of the system by their full path: Windows looks for a bare name in the current folder first. */
import { win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Windows does not tell `SystemRoot` from `SYSTEMROOT`; a copy of its environment does. */
export function variableOf(env: Environment, name: string): string | undefined {
  const wanted = name.toUpperCase();
  return Object.entries(env).find(([key]) => key.toUpperCase() === wanted)?.[1];
}

/** What a path of Windows itself is made of. It is put into command lines, where a `%` would mean something else. */
const plainRoot = /^[A-Za-z]:\\[\w .\\-]*$/;

/** @param name with its ending, below `System32` */
export function windowsProgram(env: Environment, ...name: string[]): string {
  const named = variableOf(env, 'SystemRoot');
  const root = named !== undefined && plainRoot.test(named) ? named : 'C:\\Windows';
  return win32.join(root, 'System32', ...name);
}

/** From now on `env`, which is this process's own, makes Windows look for a bare name in the PATH alone. */
export function limitLookupToPath(platform: string, env: Record<string, string | undefined>): void {
  if (platform === 'win32') env['NoDefaultCurrentDirectoryInExePath'] = '1';
}

/** Windows PowerShell 5.1, which every Windows has. */
export const powershellProgram = (env: Environment): string =>
  windowsProgram(env, 'WindowsPowerShell', 'v1.0', 'powershell.exe');

/** Of a script that says nothing but what it was asked for. */
export const powershellArguments = (script: string): string[] => [
  '-NoProfile',
  '-NonInteractive',
  '-Command',
  script,
];
