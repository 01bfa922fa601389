/** Where the command line's process begins (`out/main/cli.js`). */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startClean } from '../platform/clean-start.ts';
import { defaultDataDir } from '../platform/paths.ts';
import { createOutput } from './cli-output.ts';
import { runCommand } from './cli-commands.ts';
import { CliUsageError, cliUsage, parseCommand, type Command } from './command-arguments.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createInterrupts } from './interrupts.ts';
import { runGateway } from './run-gateway.ts';
import { findHost, openHost } from './open-host.ts';

async function main(): Promise<ExitCode> {
  // Keys of the environment are for the host that may be started, and for nobody who looks at this process.
  const env = startClean(() => false);
  const { stdin, stdout, stderr } = process;
  const interrupts = createInterrupts({
    onFirst: (why) => output.note(why),
    onSecond: () => process.exit(exitCodes.stopped),
  });
  const output = createOutput({ stdout, stderr }, () =>
    interrupts.interrupt('Stopping, because nobody reads the answer any longer.'),
  );
  const command = parse(process.argv.slice(2));
  if (typeof command === 'string') {
    output.note(`${command}\n\n${cliUsage}`);
    return exitCodes.usage;
  }
  if (command.name === 'help') {
    output.answer(cliUsage);
    output.endAnswer();
    return exitCodes.done;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupts.interrupt('Stopping. Press Ctrl-C again to end at once.'));
  }
  const dataDir = command.dataDir ?? defaultDataDir({ platform: process.platform, env, homeDir: homedir() });
  const exitCode = await runCommand(command, {
    output,
    interrupts,
    stdin,
    stdout,
    isInteractive: stdin.isTTY && stderr.isTTY,
    serveGateway: (port) =>
      runGateway({
        dataDir,
        entry: join(import.meta.dirname, 'gateway.js'),
        port,
        onListening: (at) => output.note(`Programs reach Andiron at http://127.0.0.1:${String(at)}/v1`),
        signal: interrupts.signal(),
      }),
    find: () => findHost(dataDir),
    open: () =>
      openHost({
        dataDir,
        engineUrl: command.engineUrl,
        serverEntry: join(import.meta.dirname, 'server.js'),
        env,
        onStart: () => output.note('Starting Andiron for this command.'),
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

// Nothing that is still open may keep it from ending.
process.exit(await main());
