/**
 * What only templates write, held against the records: what a model of each family would have written, marks and all, is
 * shown as its thought and its answer and nothing else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ReplyScreen } from '../../src/host/loop/screen/reply-screen.ts';
import type { ControlMarks } from '../../src/host/prompt/card/marks.ts';
import type { FamilyName } from '../../src/sim/render/index.ts';
import { cardFrom } from './recorded-cards.ts';
import { engineTruth, readRenders } from './records.ts';
import { readTrace, traceNames, type Trace } from './trace-file.ts';

const folder = engineTruth();
if (folder === undefined) {
  process.stdout.write('control marks: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');
}
const read = (path: string): unknown => JSON.parse(readFileSync(join(folder ?? '', path), 'utf8'));
const records = folder === undefined ? undefined : readRenders(folder);
const families =
  folder === undefined
    ? []
    : Object.keys(z.record(z.string(), z.unknown()).parse(read('renders/facts.json')));

const recordedOf = (family: string) => {
  if (!records) throw new Error('There are no records.');
  return records.family(family as FamilyName);
};
const known = new Map<string, ControlMarks>();
const marksOf = (family: string): ControlMarks => {
  const marks = known.get(family) ?? cardFrom(family, recordedOf(family)).marks;
  known.set(family, marks);
  return marks;
};
const all = ({ tokens, opens, closes, ends }: ControlMarks): string[] => [
  ...tokens,
  ...opens,
  ...closes,
  ...ends,
];

/** What a person has before them in the end. */
function shown(pieces: readonly string[], marks: ControlMarks): { thinking: string; text: string } {
  const screen = new ReplyScreen(marks);
  const reply = { thinking: '', text: '' };
  for (const piece of [...pieces.flatMap((text) => screen.push('text', text)), ...screen.flush()]) {
    if (piece.type !== 'moved') reply[piece.type] += piece.text;
    else {
      reply.thinking += reply.text.trim();
      reply.text = '';
    }
  }
  return reply;
}

const inPieces = (text: string, seed: number): string[] => {
  const [cuts] = fc.sample(fc.array(fc.nat(text.length), { maxLength: 40 }), { seed, numRuns: 1 });
  const places = [...new Set(cuts)].toSorted((a, b) => a - b);
  return [...places, text.length].map((end, at) => text.slice(at === 0 ? 0 : places[at - 1], end));
};

/** Their templates write a message of the past in another way than it was generated, so nothing can be read off. */
const rewriting = new Set([
  'cogito',
  'native-minimax-m2',
  'native-mistral-nemo',
  'olmo3-32b-think',
  'olmo3-think',
]);
/** Only words of its own in brackets, as anybody may write them. */
const withoutMarks = new Set(['template-last-user-own']);

const answer = 'Done: the limit was in `src/order.js`, line 3, and is now 25.';
const answerThinking = 'The edit worked. Answer briefly.';
const steps = [
  ['main.absent.echo.u1', 'main.absent.echo.t1', '1: import'],
  ['main.absent.echo.t1', 'main.absent.echo.t2', '1 replacement made'],
  ['main.absent.echo.t2', 'main.absent.echo.u2', 'Thanks! Does'],
  ['main.false.echo.t2', 'main.false.echo.u2', 'Thanks! Does'],
  ['id9.t2', 'id9.u2', 'Thanks! Does'],
  ['single.absent.echo.t2', 'single.absent.echo.u2', 'Thanks! Does'],
  ['chat.absent.echo.u2', 'chat.absent.echo.u3', 'Then add one'],
] as const;

/** What the engine would have generated between two prompts, up to the text of the next message. */
function written(family: string, from: string, to: string, next: string): string | undefined {
  const recorded = recordedOf(family);
  const [earlier, later] = [recorded.get(from), recorded.get(to)];
  if (typeof earlier !== 'string' || typeof later !== 'string' || !later.startsWith(earlier))
    return undefined;
  const rest = later.slice(earlier.length);
  // Some templates write system text and tools before the newest message.
  const ends = [next, 'You are Helper', 'Given the following', '[{"type"'].map((text) => rest.indexOf(text));
  return ends[0] === -1 ? undefined : rest.slice(0, Math.min(...ends.filter((at) => at >= 0)));
}

describe.skipIf(folder === undefined)('control marks of the recorded families', () => {
  it('are known of every family whose template writes any (audit-U3)', () => {
    const without = families.filter((family) => marksOf(family).tokens.length === 0);
    expect(new Set(without)).toEqual(withoutMarks);
    expect(families.length).toBeGreaterThanOrEqual(60);
  });

  it.each(families)('what %s writes is shown without a mark, however it is cut (audit-U3)', (family) => {
    const marks = marksOf(family);
    let replies = 0;
    for (const [at, [from, to, next]] of steps.entries()) {
      const reply = written(family, from, to, next);
      if (reply === undefined) continue;
      replies += 1;
      for (const pieces of [[reply], Array.from(reply), inPieces(reply, at)]) {
        const { thinking, text } = shown(pieces, marks);
        expect(all(marks).filter((mark) => (thinking + text).includes(mark.trim()))).toEqual([]);
        const hasAnswer = reply.includes(answer) && !withoutMarks.has(family);
        expect(hasAnswer ? text.trim() : answer).toBe(answer);
        expect(reply.includes(answerThinking) ? thinking.trim() : answerThinking).toBe(answerThinking);
      }
    }
    expect(replies > 0).toBe(!rewriting.has(family));
  });

  it.each(families)(
    'a thought of %s that leaks is a thought, whole or without its beginning (audit-U3)',
    (family) => {
      const marks = marksOf(family);
      for (const close of marks.closes) {
        const leaked = `Let me see.\nIt is \`25\`.\n${close}\n${answer}`;
        const expected = { thinking: 'Let me see.\nIt is `25`.', text: answer };
        expect(shown(Array.from(leaked), marks)).toEqual(expected);
        for (const open of marks.opens) expect(shown([open, leaked], marks)).toEqual(expected);
      }
    },
  );

  it('real replies that hold no mark are shown as they came (audit-U3)', () => {
    const rows = z
      .object({ rows: z.array(z.object({ content: z.string() })) })
      .parse(read('toolcalls.json')).rows;
    const marks = marksOf('native-qwen2.5');
    expect(rows.length).toBeGreaterThan(10);
    const isPlain = (text: string): boolean => !all(marks).some((mark) => text.includes(mark));
    for (const [seed, { content }] of rows.filter((row) => isPlain(row.content)).entries()) {
      expect(shown(inPieces(content, seed), marks)).toEqual({ thinking: '', text: content });
    }
  });
});

/** Which family the model of a trace is of, by the beginning of the trace's name. */
const ofTraces: Readonly<Record<string, string>> = {
  gem4: 'gemma4-small',
  oss: 'template-gpt-oss',
  q35: 'qwen3.5',
  qcoder: 'qwen3-coder',
};

const scripted = z.object({ tokens: z.array(z.unknown()) });

/** What the runner generated, token by token, for each reply of the trace. */
const generated = ({ steps: all }: Trace): string[][] =>
  all.flatMap((step) => {
    if (step.kind !== 'script') return [];
    const { replies = [] } = z.object({ replies: z.array(z.unknown()).optional() }).parse(step.runner_script);
    return replies.flatMap((reply) => {
      const tokens = scripted.safeParse(reply).data?.tokens.filter((token) => typeof token === 'string');
      return tokens && tokens.length > 0 ? [tokens] : [];
    });
  });

describe.skipIf(folder === undefined)('generated tokens of the recorded traces', async () => {
  const at = join(folder ?? '', 'traces');
  const names =
    folder === undefined
      ? []
      : (await traceNames(at)).filter((name) => (name.split('-')[0] ?? '') in ofTraces);

  it.each(names)('%s: passed on as text, they are shown without a mark (audit-U3)', async (name) => {
    const marks = marksOf(ofTraces[name.split('-')[0] ?? ''] ?? '');
    for (const tokens of generated(await readTrace(at, name))) {
      const { thinking, text } = shown(tokens, marks);
      expect(all(marks).filter((mark) => (thinking + text).includes(mark.trim()))).toEqual([]);
      expect(shown(Array.from(tokens.join('')), marks)).toEqual({ thinking, text });
    }
  });
});
