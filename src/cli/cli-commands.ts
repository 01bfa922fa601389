/** What each command does, once it is read. */
import type { Readable, Writable } from 'node:stream';
import { AndironError } from '../protocol/errors.ts';
import { maxFrameBytes } from '../protocol/limits.ts';
import type { SessionSummary } from '../protocol/model.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';
import type { CliOutput } from './cli-output.ts';
import type { Command } from './command-arguments.ts';
import {
  exitCodeOfError,
  inWords,
  openSession,
  sendMessage,
  stoppedBefore,
  writeFailure,
} from './exec-message.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { HostRpc } from './host-rpc.ts';
import type { Interrupts } from './interrupts.ts';
import { readLines } from './line-reader.ts';
import type { OpenHost } from './open-host.ts';
import { sendFiles } from './send-files.ts';
import { runScheduleCommand } from './schedule-commands.ts';
import { runTokenCommand } from './token-commands.ts';
import { runUsageCommand } from './usage-command.ts';

export interface CliDeps {
  output: CliOutput;
  interrupts: Interrupts;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  /** A person sits there: stdin and stderr are a terminal. */
  isInteractive: boolean;
  open: () => Promise<OpenHost>;
  /**
   * Serves programs until it is interrupted. Rejects with AndironError where it ends by itself. null = the app that was
   * installed does it, by a switch of its settings.
   */
  serveGateway: ((port: number) => Promise<void>) | null;
  /** null = none runs. */
  find: () => Promise<OpenHost | null>;
}

type ExecCommand = Extract<Command, { name: 'exec' }>;
type ChatCommand = Extract<Command, { name: 'chat' }>;

/** Never rejects: a failure is written in words. */
export async function runCommand(
  command: Exclude<Command, { name: 'help' }>,
  deps: CliDeps,
): Promise<ExitCode> {
  const { output } = deps;
  let host: OpenHost | null = null;
  let exitCode: ExitCode;
  try {
    if (command.name === 'stop') {
      host = await deps.find();
      exitCode = await stopSessions(host?.rpc ?? null, command.session, output);
    } else {
      if (command.name === 'gateway' && !deps.serveGateway) throw servedByApp();
      const text = command.name === 'exec' ? await messageOf(command, deps) : '';
      host = await deps.open();
      exitCode = await withHost(command, { text, rpc: host.rpc }, deps);
    }
  } catch (error) {
    exitCode = exitCodeOfError(error);
    if ('json' in command && command.json && command.name === 'exec') writeFailure(error, exitCode, output);
    output.note(stoppedBefore(error) ? 'Stopped.' : inWords(error));
  }
  await host?.close();
  return exitCode;
}

const servedByApp = (): AndironError =>
  new AndironError(
    'invalid_params',
    'The installed Andiron serves programs itself.',
    'Turn that on in its settings, under Ways in.',
  );

async function withHost(
  command: Exclude<Command, { name: 'help' | 'stop' }>,
  { text, rpc }: { text: string; rpc: HostRpc },
  deps: CliDeps,
): Promise<ExitCode> {
  switch (command.name) {
    case 'exec':
      return exec(command, { text, rpc }, deps);
    case 'chat':
      return chat(command, rpc, deps);
    case 'acp':
      return acp(rpc, deps);
    case 'gateway':
      await deps.serveGateway?.(command.port);
      return exitCodes.done;
    case 'token':
      return runTokenCommand(command, rpc, deps.output);
    case 'schedule':
      return runScheduleCommand(command, rpc, {
        output: deps.output,
        signal: deps.interrupts.signal(),
      });
    case 'usage':
      return runUsageCommand(command, rpc, deps.output);
    case 'sessions':
      return listSessions(rpc, command.json, deps.output);
    case 'models':
      return listModels(rpc, command.json, deps.output);
  }
}

async function exec(
  command: ExecCommand,
  { text, rpc }: { text: string; rpc: HostRpc },
  { output, interrupts, stdin, isInteractive }: CliDeps,
): Promise<ExitCode> {
  // What came through stdin is over: nobody can answer there.
  const lines = isInteractive && command.text !== null ? readLines(stdin) : null;
  try {
    const attachments = await sendFiles(rpc, command.files);
    const session = await openSession(rpc, command);
    try {
      const message = { sessionId: session.id, text, attachments };
      const signal = interrupts.signal();
      return await sendMessage(message, { rpc, output, settings: command, lines, signal });
    } finally {
      output.note(`Session: ${session.id}`);
      await session.restore();
    }
  } finally {
    lines?.close();
  }
}

/** Its library is read only here. */
async function acp(rpc: HostRpc, { output, interrupts, stdin, stdout }: CliDeps): Promise<ExitCode> {
  const { serveAcp } = await import('../acp/serve-acp.ts');
  const signal = interrupts.signal();
  await serveAcp({ rpc, input: stdin, output: stdout, note: (text) => output.note(text), signal });
  return exitCodes.done;
}

async function chat(
  command: ChatCommand,
  rpc: HostRpc,
  { output, interrupts, stdin, isInteractive }: CliDeps,
): Promise<ExitCode> {
  const session = await openSession(rpc, command);
  const lines = readLines(stdin);
  let exitCode: ExitCode = exitCodes.done;
  if (isInteractive) output.note('Ctrl-C stops an answer. Ctrl-D ends the chat.');
  try {
    for (;;) {
      if (isInteractive) output.prompt('> ');
      const text = await lines.next(interrupts.signal());
      if (text === null) break;
      if (text.trim() === '') continue;
      const deps = {
        rpc,
        output,
        settings: command,
        lines: isInteractive ? lines : null,
        signal: interrupts.signal(),
      };
      exitCode = await sendMessage({ sessionId: session.id, text, attachments: [] }, deps);
      interrupts.renew();
    }
    return exitCode;
  } finally {
    lines.close();
    output.note(`Session: ${session.id}`);
    await session.restore();
  }
}

/** The text that was given, or what stdin holds. Rejects with AndironError where that is too much, or nothing. */
async function messageOf({ text }: ExecCommand, { stdin, interrupts, output }: CliDeps): Promise<string> {
  if (text !== null) return text;
  if (stdin.isTTY === true) output.note('Type the message, then press Ctrl-D.');
  const signal = interrupts.signal();
  const stopReading = (): void => void stdin.destroy();
  signal.addEventListener('abort', stopReading, { once: true });
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stdin) {
      const piece = Buffer.from(part as Uint8Array);
      bytes += piece.length;
      if (bytes > maxFrameBytes)
        throw new AndironError(
          'invalid_params',
          'The message is too large.',
          'Attach it with --file instead.',
        );
      parts.push(piece);
    }
  } catch (error) {
    if (signal.aborted) throw new AndironError('cancelled', 'Stopped before it began.', '', { cause: error });
    throw error;
  }
  if (signal.aborted) throw new AndironError('cancelled', 'Stopped before it began.');
  signal.removeEventListener('abort', stopReading);
  const whole = Buffer.concat(parts).toString().trim();
  if (whole === '')
    throw new AndironError(
      'invalid_params',
      'The message is empty.',
      'Write it after "exec", or pipe it in.',
    );
  return whole;
}

async function listSessions(rpc: HostRpc, json: boolean, output: CliOutput): Promise<ExitCode> {
  const { sessions } = await rpc.call('host/subscribe', {});
  // Of archived ones a program hears, which sees that they are.
  const listed = sessions.filter(({ archivedAt }) => json || archivedAt == null);
  for (const session of listed.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    if (json) output.json(session);
    else output.line(sessionLine(session));
  }
  if (listed.length === 0) output.note('There are no sessions yet.');
  return exitCodes.done;
}

/** Columns are divided by tabs, and no name can have one. */
function sessionLine({ id, status, title, workspace, updatedAt }: SessionSummary): string {
  const at = new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ');
  return [id, status, at, title, workspace].map(visibleName).join('  ');
}

async function listModels(rpc: HostRpc, json: boolean, output: CliOutput): Promise<ExitCode> {
  const [{ models }, { hosts = [] }] = await Promise.all([
    rpc.call('model/list', {}),
    rpc.call('host/subscribe', {}),
  ]);
  for (const { model, isLoaded } of models) {
    const size = `${(model.sizeBytes / 1e9).toFixed(1)} GB`;
    if (json) output.json({ ...model, isLoaded });
    else output.line([model.name, size, ...(isLoaded ? ['loaded'] : [])].map(visibleName).join('  '));
  }
  if (models.length === 0) output.note('No model is installed. Install one with "ollama pull qwen3.5:4b".');
  if (hosts.length > 0)
    output.note(`Models of other hosts are named HOST/MODEL: ${hosts.map(visibleName).join(', ')}`);
  return exitCodes.done;
}

async function stopSessions(
  rpc: HostRpc | null,
  wanted: string | null,
  output: CliOutput,
): Promise<ExitCode> {
  const sessions = rpc ? (await rpc.call('host/subscribe', {})).sessions : [];
  if (wanted !== null && !sessions.some(({ id }) => id === wanted))
    throw new AndironError('not_found', `There is no session ${wanted}.`, '"andiron sessions" lists them.');
  const busy = sessions.filter(
    ({ id, status }) =>
      (wanted === null || id === wanted) && ['queued', 'running', 'asking'].includes(status),
  );
  for (const { id, title } of busy) {
    await rpc?.call('turn/stop', { sessionId: id });
    output.note(`Stopped: ${visibleName(title)} (${id})`);
  }
  if (busy.length === 0) output.note('Nothing is running.');
  return exitCodes.done;
}
