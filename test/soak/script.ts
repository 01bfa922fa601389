/** A model that does what the message says, and breaks in all the ways an engine can. */
import { reply, rule, script, type Reply } from '../../src/sim/index.ts';

const words = 'What was asked is done, and this is what came of it in a few plain words. '.repeat(6);

/** Kinds of message and how often each comes; `write` and `run` ask the person first. */
export const kinds = {
  say: 50,
  read: 18,
  write: 6,
  run: 2,
  think: 8,
  many: 1,
  hang: 5,
  cut: 3,
  refuse: 2,
  silence: 2,
  broken: 2,
  crash: 1,
} as const;
export type Kind = keyof typeof kinds;

const manyCalls = (): Reply => {
  let many = reply();
  for (let index = 0; index < 40; index += 1)
    many = many.toolCall('read_file', { path: `notes${String(index)}.txt` });
  return many;
};

/** The first reply to a message of that kind; what follows its calls is an answer. */
const on = (kind: Kind, first: Reply) => rule({ user: new RegExp(`\\b${kind} #\\d`), resultCount: 0 }, first);

export const soakScript = script([
  rule({ user: 'Write a summary of this conversation' }, reply().text('Goal: go on.')),
  on('read', reply().toolCall('read_file', { path: 'notes.txt' })),
  on('write', reply().toolCall('write_file', { path: 'out.txt', content: words })),
  on('run', reply().toolCall('run_command', { command: 'true' })),
  on('many', manyCalls()),
  on('think', reply().thinking(words).text(words)),
  on('hang', reply().text('One moment').hang()),
  on('cut', reply().text(words).cut(0.5)),
  on('refuse', reply().error(500, 'The model could not be run.')),
  on('silence', reply().text('Half an').eofWithoutDone()),
  on('broken', reply().text('Half an').malformed()),
  on('crash', reply().text('Half an').runnerExit('signal: killed')),
  rule({}, reply().text(words)),
]);
