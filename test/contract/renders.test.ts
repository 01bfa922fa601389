/**
 * The simulator renders like the recorded engine. Only the wording of the families' own
 * prose is free: everything else of a recorded prompt has to be there byte for byte, so every piece has its
 * place, its text and its spelling, and every pair of prompts parts at the same spot.
 */

import { describe, expect, it } from 'vitest';
import {
  everyFamily,
  type Message,
  type Piece,
  type PieceKind,
  type Prompt,
  type RenderRequest,
} from '../../src/sim/render/index.ts';
import { engineTruth, readRenders, type RecordedRender, type RenderRecords } from './records.ts';

type Request = Omit<RenderRequest, 'model'>;

const ROLES: Partial<Record<PieceKind, string>> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  result: 'tool',
};

/** Some families print it. */
const RECORDED_ON = '2026-11-21';

const folder = engineTruth();
const records: RenderRecords | undefined = folder === undefined ? undefined : readRenders(folder);
if (records === undefined) {
  process.stdout.write('renders: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');
}

/** Requests with pieces of many kinds; a family refuses some of them. */
const RICHEST = ['main.absent.echo.t2', 'id9.t2', 'single.absent.echo.t2', 'chat.absent.echo.u2'];

/** A request that is not refused, our prompt for it and the recorded one. */
interface Comparison {
  request: Request;
  ours: Prompt;
  theirs: string;
}

describe.skipIf(records === undefined).each([...everyFamily.values()])('$name', (family) => {
  const requests = records?.requests ?? new Map<string, Request>();
  const pairs = records?.pairs ?? [];
  const recorded = records?.family(family.name) ?? new Map<string, RecordedRender>();
  const rendered = new Map(
    [...requests].map(([name, request]) => [
      name,
      family.render({ ...request, model: family.name, today: RECORDED_ON }),
    ]),
  );
  const comparisons = new Map<string, Comparison>();
  for (const [name, request] of requests) {
    const [ours, theirs] = [rendered.get(name), recorded.get(name)];
    if (ours?.ok && typeof theirs === 'string') {
      comparisons.set(name, { request, ours, theirs });
    }
  }

  it('refuses exactly the requests that were refused, with the same status and text', () => {
    const refusals = [...rendered].flatMap(([name, ours]) =>
      ours.ok ? [] : [[name, { status: ours.status, error: ours.error }]],
    );
    expect(refusals).toEqual([...recorded].filter(([, theirs]) => typeof theirs !== 'string'));
    expect([requests.size, refusals.length + comparisons.size]).toEqual([230, 230]);
  });

  it('renders every other recorded request with the same pieces in the same order', () => {
    const problems = [...comparisons].flatMap(([name, comparison]) =>
      differences(comparison).map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('lets the prompts of every recorded pair part in the same piece', () => {
    const partings = pairs.map((pair) => parting(pair, comparisons));
    expect(partings.map(({ ours }) => ours)).toEqual(partings.map(({ theirs }) => theirs));
    expect(partings).toHaveLength(107);
  });

  it('uses none of the recorded sentences', () => {
    const taken = [...comparisons.values()]
      .flatMap(prose)
      .flatMap(([ours, theirs]) => sentences(theirs).filter((sentence) => ours.includes(sentence)));
    expect(taken).toEqual([]);
  });

  it('would notice a piece of any kind that is missing or stands elsewhere', () => {
    const damaged = RICHEST.flatMap((name) => comparisons.get(name) ?? [])
      .slice(0, 1)
      .flatMap(damage);
    expect(damaged.map((comparison) => differences(comparison).length)).not.toContain(0);
    expect(damaged.length).toBeGreaterThan(family.capabilities.includes('tools') ? 10 : 6);
  });
});

function differences(comparison: Comparison): string[] {
  const { request, ours } = comparison;
  const texts = request.messages.flatMap(textsOf);
  try {
    return [
      ...ours.pieces.filter((piece) => !isFrom(request, piece)).map((piece) => `no source: ${show(piece)}`),
      ...prose(comparison).flatMap(([own, words]) => [
        ...(paragraphs(own) === paragraphs(words) ? [] : [`other boilerplate: ${words}`]),
        ...texts.filter((text) => words.includes(text)).map((text) => `taken for boilerplate: ${text}`),
        ...(/^[\s<]|\s$/.test(words) ? [`markup taken for boilerplate: ${words}`] : []),
      ]),
    ];
  } catch (error) {
    return [String(error)];
  }
}

/** For each kind of piece, the comparison without its first piece and with that piece at the end. */
function damage({ request, ours, theirs }: Comparison): Comparison[] {
  const kinds = new Set(ours.pieces.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const position = ours.pieces.findIndex((piece) => piece.kind === kind);
    const without = ours.pieces.toSpliced(position, 1);
    const moved = [...without, ...ours.pieces.slice(position, position + 1)];
    return [without, moved].map((pieces) => ({ request, ours: { ...ours, pieces }, theirs }));
  });
}

/** Where the two prompts of a pair part: in which piece of the earlier and of the later one. */
function parting(
  [kind, earlier, later]: RenderRecords['pairs'][number],
  comparisons: ReadonlyMap<string, Comparison>,
): { ours: string; theirs: string } {
  const name = `${kind}, ${earlier} -> ${later}`;
  const [a, b] = [comparisons.get(earlier), comparisons.get(later)];
  if (a === undefined || b === undefined) {
    const refused = `${name}: ${[a, b].map((side) => (side ? 'rendered' : 'refused')).join(', ')}`;
    return { ours: refused, theirs: refused };
  }
  const ours = commonLength(a.ours.text, b.ours.text);
  const theirs = commonLength(a.theirs, b.theirs);
  return {
    ours: [name, ...[a, b].map((side) => spotIn(side.ours.pieces, ownStarts(side.ours), ours))].join('; '),
    theirs: [
      name,
      ...[a, b].map((side) => spotIn(side.ours.pieces, align(side.ours.pieces, side.theirs), theirs)),
    ].join('; '),
  };
}

/**
 * Where each piece begins in a recorded prompt, and last the prompt's length. Boilerplate reaches to the next
 * place where all that follows it fits; everything else has to fit exactly.
 */
function align(pieces: readonly Piece[], recorded: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const [position, piece] of pieces.entries()) {
    starts.push(at);
    if (piece.kind === 'boilerplate') {
      const next = pieces.findIndex(({ kind }, index) => index > position && kind === 'boilerplate');
      const following = pieces.slice(position + 1, next === -1 ? undefined : next).map(({ text }) => text);
      const end =
        next === -1 ? recorded.length - following.join('').length : recorded.indexOf(following.join(''), at);
      at = end > at ? end : recorded.length;
    } else if (recorded.startsWith(piece.text, at)) {
      at += piece.text.length;
    } else {
      throw new Error(`differs at ${at}: ${show(piece)}, recorded ${recorded.slice(at, at + 80)}`);
    }
  }
  if (at !== recorded.length) {
    throw new Error(`differs at ${at}: the end, recorded ${recorded.slice(at, at + 80)}`);
  }
  return [...starts, at];
}

/** Our boilerplate beside the recorded one. */
function prose({ ours, theirs }: Comparison): [ours: string, theirs: string][] {
  const starts = align(ours.pieces, theirs);
  return ours.pieces.flatMap((piece, position) =>
    piece.kind === 'boilerplate' ? [[piece.text, theirs.slice(starts[position], starts[position + 1])]] : [],
  );
}

function paragraphs(text: string): number {
  return text.split('\n\n').length;
}

function sentences(text: string): string[] {
  return text
    .split(/[.\n:]/)
    .map((sentence) => sentence.replace(/^[\s-]+/, ''))
    .filter((sentence) => sentence.length > 20 && !sentence.startsWith('<'));
}

function isFrom(request: Request, { kind, text, messageIndex }: Piece): boolean {
  if (kind === 'markup' || kind === 'boilerplate') {
    return messageIndex === undefined;
  }
  if (kind === 'tools') {
    return request.tools?.some((tool) => text.includes(tool.function.name)) ?? false;
  }
  const message = request.messages[messageIndex ?? -1];
  if (kind === 'thinking') {
    return [message?.thinking, message?.content].some((source) => source?.includes(text));
  }
  if (kind === 'call') {
    return message?.tool_calls?.some((call) => text.includes(call.function.name)) ?? false;
  }
  if (message === undefined || message.role !== ROLES[kind]) {
    return false;
  }
  // Native Llama writes results as JSON.
  return message.content.includes(text) || JSON.stringify(message.content).includes(text);
}

function textsOf(message: Message): string[] {
  return [message.content, message.thinking ?? '']
    .map((text) => text.trim())
    .filter((text) => text.length > 3);
}

function ownStarts(prompt: Prompt): number[] {
  return align(prompt.pieces, prompt.text);
}

/** The piece in which a position lies and, where the wording is not free, how far into it. */
function spotIn(pieces: readonly Piece[], starts: readonly number[], position: number): string {
  const index = starts.findLastIndex((start) => start <= position);
  const piece = pieces[index];
  if (piece === undefined) {
    return 'the end';
  }
  const offset = piece.kind === 'boilerplate' ? '' : ` + ${position - (starts[index] ?? 0)}`;
  return `piece ${index}, ${piece.kind} of message ${piece.messageIndex ?? '-'}${offset}`;
}

function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) {
    length += 1;
  }
  return length;
}

function show(piece: Piece): string {
  return `${piece.kind} ${JSON.stringify(piece.text.slice(0, 80))}`;
}
