/**
 * The marks with which a template writes a conversation down, read off rendered prompts: ends of messages, roles, the
 * frames of thoughts and calls. A model may write any of them into its reply, and an engine may pass it on as text.
 */
import { z } from 'zod';
import { landmarks } from './conversation.ts';
import { probes, type Renders } from './probes.ts';

export const marksSchema = z.object({
  /** Each alone, and with the word behind it that names a role or a channel. */
  tokens: z.array(z.string()),
  /** What begins a thought. */
  opens: z.array(z.string()),
  /** What ends a thought, and nothing else. */
  closes: z.array(z.string()),
  /** What ends other things too. */
  ends: z.array(z.string()),
});
export type ControlMarks = z.infer<typeof marksSchema>;

export const noMarks: ControlMarks = { tokens: [], opens: [], closes: [], ends: [] };

/** `<|x|>`, `<x|>`, `</x>`, `〈|x|〉`, `[/X]`, `]~b]`, `[e~[`: whatever stands in brackets without white space. */
const bracketed =
  /<[^<>\s=]{1,48}>|〈[^〈〉\s]{1,48}〉|\[\/?[A-Z][A-Z_]{2,40}\]|\][!~][!a-z]{0,3}[[\]]|\[[!a-z]{1,3}~\[/g;
/** A role or a channel directly behind a mark; it ends with the line or with the next mark. */
const role = '[a-z][a-z_]{1,19}(?: to=[a-z][\\w.]{0,60})?';
const roleBehind = new RegExp(`^${role}(?:\\n|(?=[<[\\]〈]|$))`);
const namesThought = /think|thought|reason/i;

/** Stands for what was said; no template writes it. */
const said = '\u0000';

const prompts = (renders: Renders): string[] =>
  [...renders].flatMap(([id, render]) => ('prompt' in render && shown.test(id) ? [render.prompt] : []));
const shown = /^(?:main|id9|single|chat)\.(?:.+\.)?[ut]\d$/;

export function readMarks(renders: Renders): ControlMarks {
  const all = prompts(renders);
  const units = new Set(all.flatMap((prompt) => unitsOf(aroundMessages(prompt))));
  const [opens, closes, ends] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const unit of units) {
    const close = namesThought.test(unit) ? mirrored(unit) : null;
    if (close === null) continue;
    opens.add(unit);
    closes.add(close);
  }
  // Where no name says what it is, it is what stands around a thought and not around what else was said.
  if (opens.size === 0) {
    const others = all.flatMap((prompt) =>
      spoken.flatMap((text) => frameOf(prompt, text)?.before.join('') ?? []),
    );
    for (const { open, end } of all.flatMap((prompt) => thoughtFrames(prompt, others))) {
      opens.add(open);
      ends.add(end);
    }
  }
  const begun = [...units].filter((unit) => all.some((prompt) => prompt.endsWith(unit)));
  for (const set of [units, opens]) for (const rest of restsOf(set, begun)) set.add(rest);
  return {
    tokens: [...new Set([...units, ...opens, ...closes, ...ends])],
    opens: [...opens],
    closes: [...closes],
    ends: [...ends],
  };
}

/** A prompt may end in the middle of a mark and its role: the reply then begins with what is left of it. */
function restsOf(marks: ReadonlySet<string>, begun: readonly string[]): string[] {
  return [...marks].flatMap((mark) =>
    begun.flatMap((start) => {
      const rest = mark.startsWith(start) ? mark.slice(start.length) : '';
      return /^ \S/.test(rest) ? [rest] : [];
    }),
  );
}

/** The first marks, and all from the first user text on, without what was said. */
function aroundMessages(prompt: string): string {
  const places = [landmarks.system, landmarks.tools, landmarks.user].map((text) => prompt.indexOf(text));
  const [, , user = -1] = places;
  const head = prompt.slice(0, Math.min(60, ...places.filter((at) => at >= 0)));
  return withoutTexts(head) + said + (user < 0 ? '' : withoutTexts(prompt.slice(user)));
}

const messages = probes.flatMap((probe) => probe.messages);

/** By lines: a template may escape or indent what stands between them. The longest first, as some hold others. */
const lines = [
  ...new Set(messages.flatMap(({ content, thinking = '' }) => `${content}\n${thinking}`.split('\n'))),
]
  .map((line) => line.trim())
  .filter((line) => line.length > 3)
  .toSorted((a, b) => b.length - a.length);

const withoutTexts = (text: string): string =>
  lines.reduce((rest, line) => rest.replaceAll(line, said), text);

/** Names of tools and of their arguments are no roles. */
const toolWords = new Set(
  probes
    .flatMap(({ tools }) => tools)
    .flatMap(({ function: { name, parameters } }) => [
      name,
      ...(JSON.stringify(parameters).match(/\w+(?=":\{)/g) ?? []),
    ]),
);

function unitsOf(glue: string): string[] {
  return [...glue.matchAll(bracketed)].flatMap((match) => {
    const [mark] = match;
    const named = wordAfter(glue, match.index + mark.length);
    return named === '' ? [mark] : [...new Set([mark, mark + named.trimEnd(), mark + named])];
  });
}

function wordAfter(glue: string, at: number): string {
  const named = roleBehind.exec(glue.slice(at, at + 90))?.[0] ?? '';
  const words = named.split(/\W+/).filter((word) => word !== '');
  return words.some((word) => toolWords.has(word)) ? '' : named;
}

/** The other half of a pair of marks, by its form; null = this is no first half. */
function mirrored(unit: string): string | null {
  const mark = unit.match(bracketed)?.[0] ?? '';
  const [, bracket = '', name = ''] = /^(<\||<|\[)([\w:-]+)(?:>|\])/.exec(mark) ?? [];
  if (bracket === '<|') return `<${name}|>`;
  if (bracket !== '') return `${bracket}/${name}${mark.at(-1) ?? ''}`;
  const ended = mark.replace(/start/i, (text) => (text === 'START' ? 'END' : 'end')).replace(/begin/, 'end');
  return ended === mark ? null : ended;
}

const oneLine = (text: string): string[] => (text === '' || text.includes('\n') ? [] : [text]);
const thoughts = [...new Set(messages.flatMap(({ thinking = '' }) => oneLine(thinking)))];
const spoken = [
  ...new Set(messages.flatMap(({ role, content }) => (role === 'tool' ? [] : oneLine(content)))),
];

/** @param others what stands before texts that are no thoughts. */
function thoughtFrames(prompt: string, others: readonly string[]): { open: string; end: string }[] {
  return thoughts.flatMap((text) => {
    const frame = frameOf(prompt, text);
    const end = frame?.after[0];
    const open = frame?.before
      .map((_, at) => frame.before.slice(at).join(''))
      .findLast((run) => !others.some((other) => other.endsWith(run)));
    return open === undefined || end === undefined ? [] : [{ open, end }];
  });
}

interface Frame {
  before: string[];
  after: string[];
}

/** The marks that stand directly before and behind a text. */
function frameOf(prompt: string, text: string): Frame | null {
  const at = prompt.indexOf(text);
  if (at < 0) return null;
  const before = new RegExp(`(?:(?:${bracketed.source})(?:${role})?\\s*)*$`).exec(
    prompt.slice(0, at).slice(-200),
  );
  const after = new RegExp(`^\\s*(${bracketed.source})`).exec(prompt.slice(at + text.length).slice(0, 60));
  return {
    before: (before?.[0] ?? '')
      .split(new RegExp(`(?=${bracketed.source})`))
      .filter((unit) => unit.trim() !== ''),
    after: after?.[1] === undefined ? [] : [after[1]],
  };
}
