/**
 * `andiron exec …` of an installed Andiron: the same program as the window, because the fuses leave no Node. While the
 * module of the entry is not loaded to its end, Electron does nothing but run the event loop of Node, before it looks for a
 * display (Electron: shell/common/node_bindings.cc, JoinAppCode). So a command is over before there is an app.
 */
import { fstatSync, createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { commandWords } from '../cli/command-arguments.ts';
import { exitCodes, type ExitCode } from '../cli/exit-codes.ts';
import { runCli } from '../cli/run-cli.ts';
import { withoutAppDir } from '../platform/app-dir.ts';
import { startBackgroundApp } from './background-start.ts';

/** What follows the program's own path, from the command on; null = it was started as an app. */
export function commandOf(args: readonly string[]): string[] | null {
  // Whoever starts it may have put a switch of Chromium's first, as an AppImage does with `--no-sandbox`.
  const first = args.findIndex((arg) => !arg.startsWith('--') || arg === '--help');
  return first !== -1 && commandWords.includes(args[first] ?? '') ? args.slice(first) : null;
}

/** Resolves with what the process is to end with; never rejects, and ends it for what nobody caught. */
export async function runCommandLine(
  command: readonly string[],
  { platform, hasSandbox }: { platform: NodeJS.Platform; hasSandbox: boolean },
): Promise<ExitCode> {
  // Electron would show a box for it and go on, as an app without a window.
  process.on('uncaughtException', giveUp);
  process.on('unhandledRejection', giveUp);
  // The process of a person: what an AppImage added to their environment is not theirs.
  const env = withoutAppDir(process.env);
  return runCli(command, {
    env,
    stdin: standardInput(platform),
    startHost: (start) => startBackgroundApp(start, { platform, hasSandbox, env, self: process }),
    serveGateway: null,
    exit: (code) => process.exit(code),
  }).catch(giveUp);
}

function giveUp(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(exitCodes.failed);
}

/** On Windows Electron gives every program of its own an input that has ended (Electron: lib/common/init.ts). */
function standardInput(platform: NodeJS.Platform): Readable & { isTTY?: boolean } {
  if (platform !== 'win32') return process.stdin;
  try {
    const input = fstatSync(0);
    if (input.isFIFO() || input.isFile()) return createReadStream('', { fd: 0, autoClose: false });
  } catch {
    // It was started without one.
  }
  return process.stdin;
}
