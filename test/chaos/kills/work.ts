/**
 * Messages that say what the model will do with them. Whatever it does to the disk leaves a token of its own, so that
 * each effect can be counted; whatever runs long carries the world's marker, so that `ps` finds it.
 */
import { reply, type Reply, type Script, type ScriptRequest } from '../../../src/sim/index.ts';

export const effectsFile = 'effects.log';

const append = (token: string, then = ''): { command: string } => ({
  command: `echo ${token} >> ${effectsFile}${then}`,
});

/** A command that ends only when it is ended. `tail` shows the marker among its arguments, as the shell does. */
const forever = (marker: string): string => `; tail -f ${marker}`;
const stubborn = (marker: string): string => `; trap "" TERM; tail -f ${marker} & tail -f ${marker} & wait`;

/** Step after step: the reply to the message, then to each round of results. The last one repeats. */
const works = {
  talk: () => [
    reply().thinking('Let me think about it.').tokensPerSecond(150).text('Word after word. '.repeat(12)),
  ],
  append: ({ token }) => [
    reply()
      .text('Now.')
      .toolCall('run_command', append(token(1))),
    reply().text('Done.'),
  ],
  chain: ({ token }) => [
    reply().toolCall('run_command', append(token(1))),
    reply()
      .text('Next.')
      .toolCall('run_command', append(token(2), '; sleep 0.02')),
    reply().toolCall('write_file', { path: `${token(3)}.txt`, content: token(3) }),
    reply().text('All three.'),
  ],
  both: ({ token }) => [
    reply()
      .toolCall('run_command', append(token(1)))
      .toolCall('run_command', append(token(2))),
    reply().text('Both.'),
  ],
  read: () => [
    reply().toolCall('list_files', {}).toolCall('search', { pattern: 'job' }),
    reply().text('Seen.'),
  ],
  slow: ({ token, marker }) => [
    reply().toolCall('run_command', append(token(1), forever(marker))),
    reply().text('It was ended.'),
  ],
  stubborn: ({ token, marker }) => [
    reply().toolCall('run_command', append(token(1), stubborn(marker))),
    reply().text('It was ended.'),
  ],
} satisfies Record<string, (job: { token: (n: number) => string; marker: string }) => Reply[]>;

export type Work = keyof typeof works;
export const allWork = Object.keys(works) as Work[];
/** Ends only when it is stopped or killed. */
export const endless: ReadonlySet<Work> = new Set<Work>(['slow', 'stubborn']);

export const messageOf = (job: string, work: Work): string => `Please do ${work} as ${job}`;

/** The tokens of effects that stand in a text. */
export const tokensIn = (text: string): string[] => [...new Set(text.match(/job-\d+-\d+/g) ?? [])];

export function workScript(marker: string): Script {
  return ({ endpoint, lastUser, results }: ScriptRequest) => {
    const [, work, job = ''] = /Please do (\w+) as (job-\d+)/.exec(lastUser) ?? [];
    if (endpoint !== 'chat' || !isWork(work)) return undefined;
    const token = (n: number): string => `${job}-${String(n)}`;
    return works[work]({ token, marker })
      .slice(0, results.length + 1)
      .at(-1);
  };
}

const isWork = (name: string | undefined): name is Work => allWork.some((known) => known === name);
