import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { Processes, ProcessEnd } from '../../platform/processes.ts';
import { shellCommand } from '../../platform/shell-command.ts';
import { advised, type Advise } from './advice.ts';
import { commandEnvironment } from './command-environment.ts';
import { createLiveText, createWholeText, createStreamText } from './command-output.ts';
import { defineTool } from './define-tool.ts';
import { ToolFailure, type Tool } from './tool.ts';

/** A command that still runs then is ended. */
const timeoutMs = 120_000;
/** Characters that the card shows while it runs. */
const liveCap = 100_000;
const outputLimit = 20_000_000;

export interface RunCommandDeps {
  files: Files;
  processes: Processes;
  /** `linux`, `darwin`, `win32` …: decides which shell runs a command. */
  platform: string;
  /** For the time limit; the system's unless given. */
  clock?: Clock | undefined;
}

/** Not sandboxed yet, so every command asks, and no grant outlives its call. */
export function runCommandTool({ files, processes, platform, clock }: RunCommandDeps): Tool {
  return defineTool(
    {
      name: 'run_command',
      description:
        'Run a shell command in the workspace and wait for it, at most 120 s. No input, nothing in the background.',
      parameters: z.object({ command: z.string().trim().min(1) }),
      mutates: true,
      retrySafe: false,
      risk: 'execute',
      about: 'workspace',
      timeoutMs,
      subject: ({ command }) => command,
      need: ({ command }) => ({
        summary: command,
        mutates: 'Whatever the command does, also outside the workspace',
        sandboxed: false,
        scopes: ['once'],
        editable: { argument: 'command', text: command },
      }),
      check: async ({ command }, { workspace }) => {
        checkCommand(command, platform);
        if ((await files.stat(workspace))?.kind === 'folder') return {};
        throw new ToolFailure('The workspace folder is gone, so nothing can be run in it.');
      },
      async execute({ command }, { workspace, signal, output }) {
        const texts = { stdout: createStreamText(), stderr: createStreamText() };
        const live = createLiveText(liveCap, output);
        const whole = { stdout: createWholeText(outputLimit), stderr: createWholeText(outputLimit) };
        const { env, ...shell } = shellCommand(platform, command, workspace, processes.environment);
        const end = await processes.run({
          ...shell,
          env: { ...commandEnvironment(processes.environment, platform), ...env },
          signal,
          outputLimit,
          onOutput(stream, text) {
            texts[stream].add(text);
            whole[stream].add(text);
            live(text);
          },
        });
        const streams = (['stdout', 'stderr'] as const).flatMap((name) => {
          const text = texts[name].text().trim();
          return text === '' ? [] : [`${name}:\n${text}`];
        });
        const words = advised((advise) => [...outcome(end, advise), ...streams].join('\n'));
        const all = (['stdout', 'stderr'] as const).flatMap((name) => {
          const text = whole[name].text();
          return text === '' ? [] : [`${name}:\n${text}`];
        });
        const isCut = texts.stdout.isCut() || texts.stderr.isCut();
        return {
          ok: end.exitCode === 0 && end.killed === null,
          ...words,
          ...(isCut && { whole: [...outcome(end, inFull), ...all].join('\n') }),
          display: { kind: 'command', command, exitCode: end.exitCode, signal: end.signal },
        };
      },
    },
    clock,
  );
}

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
    ...(leftovers && unended === 0 ? ['Processes that it left in the background were ended.'] : []),
    ...(unended > 0 ? [`${String(unended)} of its processes could not be ended and still run.`] : []),
  ];
}
