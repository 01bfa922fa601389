import { describe, expect, it } from 'vitest';
import { HandClock } from '../../testing/window-kit.tsx';
import { settled } from '../../testing/fake-server.ts';
import { lexMarkdown, type Lexed, type LexRequest } from './lex.ts';
import { cheapLength, createPageLexer } from './page-lexer.ts';
import { directLexer, MarkdownReader, type Block } from './reader.ts';

const costly = '*a "'.repeat(1_000);
const words = 'A lamp burns oil. It gives light.\n\n';

/** A page and its worker, which answers when it is let. */
function setUp() {
  const clock = new HandClock();
  const asked: { request: LexRequest; answer: (lexed: Lexed | null) => void }[] = [];
  let nowMs = 0;
  const lexer = createPageLexer(
    (request) => new Promise((answer) => asked.push({ request, answer })),
    () => nowMs,
    (ms, callback) => clock.after(ms, callback),
  );
  let changes = 0;
  const reader = new MarkdownReader(lexer, () => (changes += 1));
  /** The worker takes up its oldest request. */
  const answer = async (how: (request: LexRequest) => Lexed | null): Promise<void> => {
    const next = asked.shift();
    next?.answer(how(next.request));
    await settled();
  };
  return { clock, asked, answer, reader, lexer, pass: (ms: number) => (nowMs += ms), changes: () => changes };
}

const text = (blocks: Block[]): string => blocks.map(({ token }) => token.raw).join('');
const letters = (source: string): string => source.replaceAll(/\s/g, '');
const kinds = (blocks: Block[]): string[] => blocks.map(({ token }) => token.type);

describe('Markdown of a page with a worker', () => {
  it('is parsed at once where it is short and harmless (audit-S11)', () => {
    const { reader, asked } = setUp();
    expect(kinds(reader.read('# One\n\n- two', false))).toEqual(['heading', 'list']);
    expect(asked).toEqual([]);
  });

  it('never goes to the page itself where each mark may cost a look at all of it (audit-S11)', () => {
    const { reader, asked } = setUp();
    reader.read(costly, false);
    expect(asked).toHaveLength(1);
    expect(cheapLength('['.repeat(64_000))).toBe(0);
    expect(cheapLength('> '.repeat(500))).toBe(0);
    expect(cheapLength(words.repeat(1_000))).toBeGreaterThan(4_000);
    expect(cheapLength(words.repeat(1_000))).toBeLessThanOrEqual(8_000);
  });

  it('is read by the page in steps that end with a block, and reads the same (audit-S11)', () => {
    const { reader, asked } = setUp();
    const long = `# Title\n\n${words.repeat(500)}- one\n- two\n\n${words}`;
    expect(reader.read(long, true)).toEqual(new MarkdownReader(directLexer).read(long, true));
    expect(asked).toEqual([]);
  });

  it('goes to the worker when the page has parsed enough for now (audit-S11)', () => {
    const { lexer, pass, asked } = setUp();
    let lookMs = 0;
    const slow = createPageLexer(lexer.later, () => pass(lookMs), lexer.after);
    const read = (source: string): string[] => kinds(new MarkdownReader(slow).read(source, false));
    expect(read('# One')).toEqual(['heading']);
    // Now each look at the clock takes 20 ms.
    lookMs = 20;
    slow.now({ source: words, links: {}, complete: false });
    lookMs = 0;
    expect(read('# Two')).toEqual(['paragraph']);
    expect(asked.map(({ request }) => request.source)).toEqual(['# Two']);
    pass(50);
    expect(read('# Three')).toEqual(['heading']);
    expect(asked).toHaveLength(1);
  });

  it('keeps what is parsed and shows the newest words below it when the worker is slow (audit-S11)', async () => {
    const { reader, clock, answer, changes } = setUp();
    reader.read(`# One\n\nTwo.\n\n${costly}`, false);
    await answer(lexMarkdown);
    const before = reader.read(`# One\n\nTwo.\n\n${costly}`, false);
    expect(kinds(before)).toEqual(['heading', 'paragraph', 'paragraph']);
    const grown = `# One\n\nTwo.\n\n${costly} and more`;
    expect(text(reader.read(grown, false))).toBe(text(before));
    const seen = changes();
    clock.run();
    expect(changes()).toBe(seen + 1);
    const late = reader.read(grown, false);
    expect(late[0]).toBe(before[0]);
    expect(text(late)).toContain(' and more');
    // It stays there until it is parsed.
    await answer(lexMarkdown);
    expect(text(reader.read(`${grown} and`, false))).toContain(' and more and');
  });

  it('asks the worker for one text at a time, and then for the newest (audit-S11)', async () => {
    const { reader, asked, answer } = setUp();
    for (let more = 0; more < 5; more += 1) reader.read(costly + 'x'.repeat(more), false);
    expect(asked).toHaveLength(1);
    await answer(lexMarkdown);
    reader.read(`${costly}xxxxx`, false);
    expect(asked.map(({ request }) => request.source.length)).toEqual([costly.length + 5]);
  });

  it('is plain text for good after three requests that took too long (audit-S11)', async () => {
    const { reader, asked, answer } = setUp();
    const begun = `# One\n\nTwo.\n\nThree.\n\n${costly}`;
    reader.read(`# One\n\nTwo.\n\nThree.\n\n`, false);
    for (let life = 0; life < 3; life += 1) {
      expect(reader.hasGivenUp).toBe(false);
      reader.read(begun, false);
      await answer(() => null);
    }
    expect(reader.hasGivenUp).toBe(true);
    const blocks = reader.read(`${begun}\n\n# No heading`, true);
    expect(kinds(blocks).slice(0, 1)).toEqual(['heading']);
    expect(
      kinds(blocks)
        .slice(1)
        .every((kind) => kind === 'paragraph'),
    ).toBe(true);
    expect(text(blocks)).toContain('# No heading');
    expect(asked).toEqual([]);
  });

  it('is drawn whole in the end, whatever the worker loses on the way (audit-S11)', async () => {
    const { reader, answer, asked } = setUp();
    const whole = `${words.repeat(20)}${costly}\n\n[a]: https://example.com\n\n${costly}\n\n${words.repeat(20)}`;
    const begun = Date.now() % 1_000;
    let seed = begun;
    const chance = (): number => (seed = (seed * 1_103 + 12_345) % 65_536) / 65_536;
    let lost = 0;
    for (let end = 1; end <= whole.length + 400; end += 400) {
      reader.read(whole.slice(0, end), end >= whole.length);
      if (chance() < 0.7)
        await answer((request) => (chance() < 0.1 && lost++ < 2 ? null : lexMarkdown(request)));
    }
    for (let rest = 0; rest < 20; rest += 1) {
      reader.read(whole, true);
      if (asked.length > 0) await answer(lexMarkdown);
    }
    const read = reader.read(whole, true);
    // The seed is told where it fails.
    const expected = kinds(new MarkdownReader(directLexer).read(whole, true));
    expect({ begun, kinds: kinds(read) }).toEqual({ begun, kinds: expected });
    const drawn = letters(whole.replace('[a]: https://example.com', ''));
    expect({ begun, text: letters(text(read)) }).toEqual({ begun, text: drawn });
  });

  it('drops an answer about another text (audit-S11)', async () => {
    const { reader, answer, asked } = setUp();
    // Enough blocks for the first to be settled.
    reader.read(`${costly}\n\n`.repeat(3), false);
    expect(asked).toHaveLength(1);
    reader.read('# Other\n\n', false);
    await answer(lexMarkdown);
    const other = `# Other\n\n${words.repeat(1_000)}`;
    const blocks = reader.read(other, true);
    expect(kinds(blocks).slice(0, 2)).toEqual(['heading', 'paragraph']);
    expect(letters(text(blocks)) === letters(other)).toBe(true);
  });
});

const cells = (count: number): string => `|${'a|'.repeat(count)}\n`;

describe('a block that is large', () => {
  it.each([
    ['a list', '- **an** item\n'.repeat(600), 'list'],
    ['a table', `${cells(4)}|${'-|'.repeat(4)}\n${cells(4).repeat(300)}`, 'table'],
  ])('%s is drawn in pieces that cover it (audit-S11)', (_, source, kind) => {
    const { blocks } = lexMarkdown({ source, links: {}, complete: true });
    expect(blocks).toHaveLength(1);
    const pieces = blocks[0]?.pieces ?? [];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.map(({ token }) => token.type)).toEqual(pieces.map(() => kind));
    expect(
      pieces
        .map(({ token }) => token.raw)
        .join('')
        .trim(),
    ).toBe(source.trim());
    for (const { at, token } of pieces) expect(source.startsWith(token.raw, at)).toBe(true);
  });

  it('numbers a long list on from piece to piece (audit-S11)', () => {
    const source = Array.from({ length: 400 }, (_, at) => `${String(at + 5)}. item`).join('\n');
    const { blocks } = lexMarkdown({ source, links: {}, complete: true });
    const [first, second] = (blocks[0]?.pieces ?? []).map(
      ({ token }) => token as { start: number; items: object[] },
    );
    expect(first?.start).toBe(5);
    expect(second?.start).toBe(5 + (first?.items.length ?? 0));
  });

  it.each([
    ['a table of 400 columns', cells(400) + `|${'-|'.repeat(400)}\n` + cells(400)],
    ['a word of 100 kB', 'x'.repeat(100_000)],
  ])('%s is the text it is, in pieces (audit-S11)', (_, source) => {
    const blocks = new MarkdownReader(directLexer).read(source, true);
    expect(kinds(blocks)).toEqual(blocks.map(() => 'paragraph'));
    expect(text(blocks)).toBe(source);
    expect(Math.max(...blocks.map(({ token }) => token.raw.length))).toBeLessThanOrEqual(6_000);
  });

  it('hands no more over at a time than a page takes in without a halt (audit-S11)', () => {
    const lexed = lexMarkdown({ source: 'a\n\n'.repeat(20_000), links: {}, complete: true });
    expect(lexed.blocks.length).toBeLessThan(4_000);
    expect(lexed.isComplete).toBe(false);
    expect(lexed.settled).toBe(lexed.blocks.length);
    const blocks = new MarkdownReader(directLexer).read('a\n\n'.repeat(20_000), true);
    expect(blocks).toHaveLength(20_000);
  });
});
