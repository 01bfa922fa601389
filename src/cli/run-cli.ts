/** One command, from its arguments to its exit code, wherever it runs: in Node, or in the program of an installed Andiron. */
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { defaultDataDir } from '../platform/paths.ts';
import { createOutput } from './cli-output.ts';
import { runCommand } from './cli-commands.ts';
import { CliUsageError, cliUsage, parseCommand, type Command } from './command-arguments.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createInterrupts } from './interrupts.ts';
import { findHost, openHost, type StartedHost } from './open-host.ts';

/** Where no host runs. */
export interface HostStart {
  dataDir: string;
  /** null = found by the engine. */
  engineUrl: string | null;
}

export interface CliProgram {
  /** The environment that the person gave. */
  env: Record<string, string>;
  stdin: Readable & { isTTY?: boolean };
  startHost: (start: HostStart) => StartedHost;
  /** null = the program that was installed serves it itself, by a switch of its settings. */
  serveGateway: ((gateway: GatewayUse) => Promise<void>) | null;
  /** At once, and with what is still open. */
  exit: (code: ExitCode) => void;
}

export interface GatewayUse {
  dataDir: string;
  /** 0 = any free one. */
  port: number;
  onListening: (port: number) => void;
  /** Fires when it is to end. */
  signal: AbortSignal;
}

/** Resolves when everything is written. */
export async function runCli(args: readonly string[], program: CliProgram): Promise<ExitCode> {
  const { stdin } = program;
  const { stdout, stderr } = process;
  const interrupts = createInterrupts({
    onFirst: (why) => output.note(why),
    onSecond: () => program.exit(exitCodes.stopped),
  });
  const output = createOutput({ stdout, stderr }, () =>
    interrupts.interrupt('Stopping, because nobody reads the answer any longer.'),
  );
  const command = parse(args);
  if (typeof command === 'string') {
    output.note(
      args.length === 0
        ? `${command}\n\n${cliUsage}`
        : `${command}\nandiron --help shows all commands and options.`,
    );
    return exitCodes.usage;
  }
  if (command.name === 'help') {
    output.answer(cliUsage);
    output.endAnswer();
    await output.flush();
    return exitCodes.done;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupts.interrupt('Stopping. Press Ctrl-C again to end at once.'));
  }
  const { engineUrl } = command;
  const dataDir =
    command.dataDir ?? defaultDataDir({ platform: process.platform, env: program.env, homeDir: homedir() });
  const { serveGateway } = program;
  const exitCode = await runCommand(command, {
    output,
    interrupts,
    stdin,
    stdout,
    isInteractive: stdin.isTTY === true && stderr.isTTY,
    serveGateway:
      serveGateway &&
      ((port) =>
        serveGateway({
          dataDir,
          port,
          onListening: (at) => output.note(`Programs reach Andiron at http://127.0.0.1:${String(at)}/v1`),
          signal: interrupts.signal(),
        })),
    find: () => findHost(dataDir),
    open: () =>
      openHost({
        dataDir,
        start() {
          output.note('Starting Andiron for this command.');
          return program.startHost({ dataDir, engineUrl });
        },
        signal: interrupts.signal(),
      }),
  });
  await output.flush();
  return exitCode;
}

/** What is wrong with it, in words. */
function parse(args: readonly string[]): Command | string {
  try {
    return parseCommand(args, process.cwd());
  } catch (error) {
    if (error instanceof CliUsageError) return error.message;
    throw error;
  }
}
