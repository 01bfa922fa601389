import { z } from 'zod';
import type { CommandChanges } from '../../protocol/changed-files.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { Processes, ProcessEnd } from '../../platform/processes.ts';
import type { KeptStart } from '../../platform/sandbox/sandbox.ts';
import { shellCommand } from '../../platform/shell-command.ts';
import { advised, type Advise } from './advice.ts';
import { openWayOut, type WayOut } from './way-out.ts';
import { commandEnvironment, keptEnvironment } from './command-environment.ts';
import { createLiveText, createWholeText, createStreamText } from './command-output.ts';
import type { CommandRecorder, RecordedCommand } from './command-recorder.ts';
import type { CommandSandbox } from './command-sandbox.ts';
import { defineTool } from './define-tool.ts';
import { refusalIn, refusedWords, whyNotSandboxed, type SandboxRefusal } from './sandbox-words.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolDefinition, type ToolResult } from './tool.ts';

/** A command that still runs then is ended. */
const timeoutMs = 120_000;
/** Characters that the card shows while it runs. */
const liveCap = 100_000;
const outputLimit = 20_000_000;
/** Of what is free as it begins: before the machine pages, and the model with it. */
const memoryShare = 0.9;
const minMemoryBytes = 1024 ** 3;

export interface RunCommandDeps {
  files: Files;
  processes: Processes;
  /** `linux`, `darwin`, `win32` …: decides which shell runs a command. */
  platform: string;
  sandbox: CommandSandbox;
  /** Nothing that a command does can be taken back unless given. */
  commands?: CommandRecorder | undefined;
  /** Bytes of memory that programs can have now; what a command uses is not limited unless given. */
  freeMemory?: (() => number) | undefined;
  /** For the time limit; the system's unless given. */
  clock?: Clock | undefined;
}

/** Each command asks, and is kept in where that can be proved. */
export function runCommandTool(deps: RunCommandDeps): Tool {
  const { files, platform, clock, sandbox } = deps;
  const way = (isKept: boolean): Way => ({
    need: ({ command }) => ({
      summary: command,
      mutates: isKept ? 'Can change files in this folder' : 'Can change files outside this folder',
      sandboxed: isKept,
      ...(isKept && sandbox.openProxy && { asksForHosts: true }),
      ...(!isKept && { whyNotSandboxed: whyNotSandboxed(sandbox.status) }),
      scopes: ['once'],
      editable: { argument: 'command', text: command },
    }),
    execute: ({ command }, context) => runCommand(command, isKept, context, deps),
  });
  const isKept = sandbox.status.kind !== 'none';
  return defineTool(
    {
      name: 'run_command',
      description: 'Run a shell command in the workspace, at most 120 s. No input, no background.',
      parameters,
      mutates: true,
      retrySafe: false,
      risk: 'execute',
      about: 'workspace',
      timeoutMs,
      subject: ({ command }) => command,
      check: async ({ command }, { workspace }) => {
        checkCommand(command, platform);
        const { commands } = deps;
        if ((await files.stat(workspace))?.kind === 'folder')
          return commands ? { undo: () => commands.coverage(workspace) } : {};
        throw new ToolFailure('The workspace folder is gone, so nothing can be run in it.');
      },
      ...way(isKept),
      ...(isKept && { outside: way(false) }),
    },
    clock,
  );
}

const parameters = z.object({ command: z.string().trim().min(1) });
type Way = Pick<ToolDefinition<typeof parameters>, 'need' | 'execute'>;

async function runCommand(
  command: string,
  isKept: boolean,
  context: ToolContext,
  { processes, platform, sandbox, commands, freeMemory }: RunCommandDeps,
): Promise<ToolResult> {
  const { workspace, signal, output } = context;
  const texts = { stdout: createStreamText(), stderr: createStreamText() };
  const live = createLiveText(liveCap, output);
  const whole = { stdout: createWholeText(outputLimit), stderr: createWholeText(outputLimit) };
  const { env, ...shell } = shellCommand(platform, command, workspace, processes.environment);
  const recorded = commands && (await begin(commands, context));
  let changes: CommandChanges | null | undefined;
  const memoryLimit = freeMemory && Math.max(minMemoryBytes, freeMemory() * memoryShare);
  const run = async ({ env: own, ...start }: KeptStart): Promise<ProcessEnd> =>
    processes.run({
      ...shell,
      ...start,
      env: {
        ...commandEnvironment(processes.environment, platform),
        ...(isKept && keptEnvironment),
        ...env,
        ...own,
      },
      signal,
      outputLimit,
      ...(memoryLimit !== undefined && { memoryLimit }),
      onOutput(stream, text) {
        texts[stream].add(text);
        whole[stream].add(text);
        live(text);
      },
    });
  let end: ProcessEnd;
  let way: WayOut | null = null;
  let kept: KeptStart | undefined;
  try {
    if (isKept) way = await openWayOut(sandbox, context);
    kept = isKept ? await sandbox.keep(shell, context, way?.proxy.path ?? null) : shell;
    end = await run(kept);
  } finally {
    await way?.proxy.close();
    await kept?.release?.();
    changes = await recorded?.ended();
  }
  const read = (from: typeof texts | typeof whole): string[] =>
    (['stdout', 'stderr'] as const).flatMap((name) => {
      const text = from[name].text();
      return text.trim() === '' ? [] : [`${name}:\n${from === texts ? text.trim() : text}`];
    });
  const ok = end.exitCode === 0 && end.killed === null;
  const declined = way?.declined() ?? [];
  const refusal =
    isKept && !ok && end.killed === null ? refusalIn(read(texts).join('\n'), sandbox.status.kind) : null;
  // Who said no to a host is not asked about all of them.
  const refused = refusal === 'network' && declined.length > 0 ? null : refusal;
  const hosts = way === null ? keptIn(refused) : [...declined, ...keptWithHosts(refused)];
  const words = advised((advise) => [...outcome(end, advise), ...read(texts), ...hosts].join('\n'));
  const isCut = texts.stdout.isCut() || texts.stderr.isCut();
  return {
    ok,
    ...words,
    ...(isCut && { whole: [...outcome(end, inFull), ...read(whole)].join('\n') }),
    ...(refused !== null && { refused: refusedWords[refused] }),
    display: {
      kind: 'command',
      command,
      exitCode: end.exitCode,
      signal: end.signal,
      ...(changes !== undefined && { changes }),
    },
  };
}

/** What was promised on the card is kept, or nothing runs. */
async function begin(
  commands: CommandRecorder,
  { sessionId, callId, workspace, person }: ToolContext,
): Promise<RecordedCommand> {
  try {
    return await commands.begin({ sessionId, callId, workspace }, person?.promised);
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(
      `What stands in the folder could not be kept for undo, so nothing was run: ${reason}.`,
      {
        advice: 'Ask the person to make room on the disk of the data folder.',
        cause: error,
      },
    );
  }
}

/** What a model cannot see from the words of the system. */
const keptIn = (refused: SandboxRefusal | null): string[] =>
  refused === null ? [] : ['It ran in a sandbox: no network, and only this folder can be changed.'];
const keptWithHosts = (refused: SandboxRefusal | null): string[] =>
  refused === null
    ? []
    : [
        'It ran in a sandbox: HTTP and HTTPS to hosts that the person allows, and only this folder can be changed.',
      ];

/** What cannot work is refused before anybody is asked. */
function checkCommand(command: string, platform: string): void {
  if (command.includes('\0')) {
    throw new ToolFailure('The command has a NUL character, which no command can have.', {
      advice: 'Leave it out.',
    });
  }
  // cmd would run the first line and leave out the rest without a word.
  if (platform === 'win32' && /[\r\n]/.test(command)) {
    throw new ToolFailure('A command is one line on Windows.', {
      advice: 'Join its parts with &&, or write them into a .cmd file and run that.',
    });
  }
}

const inFull: Advise = (advice) => advice;

function outcome({ exitCode, signal, killed, leftovers, unended }: ProcessEnd, advise: Advise): string[] {
  const how = exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit code: ${String(exitCode)}`;
  return [
    how,
    ...(killed === 'output_limit'
      ? [`It printed too much and was ended.${advise(' Print less, for example with head.')}`]
      : []),
    ...(killed === 'memory_limit'
      ? [`It used nearly all free memory of the machine and was ended.${advise(' Work on less at once.')}`]
      : []),
    ...(leftovers && unended === 0 ? ['Processes that it left in the background were ended.'] : []),
    ...(unended > 0 ? [`${String(unended)} of its processes could not be ended and still run.`] : []),
  ];
}
