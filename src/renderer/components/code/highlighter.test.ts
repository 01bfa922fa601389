import { describe, expect, it } from 'vitest';
import { createColourist, type ColourReply, type ColourRequest } from './colourist.ts';
import { createHighlighter } from './highlighter.ts';
import { knownLanguage, languageOfPath } from './languages.ts';
import { decodeLines, encodeLines, plainLines, type CodeLine } from './tones.ts';

const linesOf = (code: string, { tones }: ColourReply): CodeLine[] => (tones ? decodeLines(code, tones) : []);

describe('colours of code', () => {
  it('come from the five tones of the tokens, and the text stays whole', async () => {
    const code = "const a = fn('text', 12); // why";
    const reply = await createColourist(0)({ id: 1, language: 'typescript', code, after: null });
    const [line = []] = linesOf(code, reply);
    expect(line.map((token) => token.text).join('')).toBe(code);
    const tone = (text: string) => line.find((token) => token.text.includes(text))?.tone;
    expect([tone('const'), tone('fn'), tone("'text'"), tone('12'), tone('// why')]).toEqual([
      'k',
      'f',
      's',
      'u',
      'c',
    ]);
  });

  it('go on across lines from the state of the line before, and say when that is forgotten', async () => {
    const colour = createColourist(0);
    const first = await colour({ id: 1, language: 'typescript', code: '/* begins', after: null });
    const second = await colour({
      id: 2,
      language: 'typescript',
      code: 'ends */ const a',
      after: first.state,
    });
    expect(linesOf('ends */ const a', second)[0]?.[0]?.tone).toBe('c');
    const lost = await colour({ id: 3, language: 'typescript', code: 'a', after: 99 });
    expect(lost.tones).toBeNull();
  });

  it('are none for a language without a grammar', async () => {
    expect(await createColourist(0)({ id: 1, language: 'klingon', code: 'a', after: null })).toMatchObject({
      tones: null,
    });
  });

  it('travel as numbers, whatever the lines hold', () => {
    const lines: CodeLine[] = [
      [
        { text: 'ab', tone: 'k' },
        { text: ' ', tone: null },
      ],
      [],
      ...plainLines('😀é'),
    ];
    expect(decodeLines('ab \n\n😀é', encodeLines(lines))).toEqual(lines);
  });

  it('know languages by their names and files by their endings', () => {
    expect(knownLanguage('TS')).toBe('typescript');
    expect(knownLanguage('constructor')).toBeNull();
    expect(knownLanguage('brainfuck')).toBeNull();
    expect(languageOfPath('src/a.test.tsx')).toBe('tsx');
    expect(languageOfPath('C:\\code\\Dockerfile')).toBe('docker');
    expect(languageOfPath('LICENSE')).toBeNull();
  });
});

const reply = (request: ColourRequest | undefined): ColourReply => ({
  id: request?.id ?? 0,
  tones: encodeLines([[{ text: request?.code ?? '', tone: 'u' }]]),
  state: 7,
});

const text = (letter: string): string => letter.repeat(300_000);

/** Workers that answer, or die, when the test says so. */
function workshop() {
  const workers: {
    requests: ColourRequest[];
    say: (type: string, data?: ColourReply) => void;
    ended: boolean;
  }[] = [];
  const timers: (() => void)[] = [];
  const highlighter = createHighlighter(
    () => {
      const listeners = new Map<string, (event: { data: ColourReply }) => void>();
      const worker = {
        requests: [] as ColourRequest[],
        ended: false,
        say: (type: string, data?: ColourReply) => listeners.get(type)?.({ data } as { data: ColourReply }),
      };
      workers.push(worker);
      return {
        postMessage: (request: ColourRequest) => void worker.requests.push(request),
        addEventListener: (type: string, listener: (event: { data: ColourReply }) => void) =>
          void listeners.set(type, listener),
        terminate: () => (worker.ended = true),
      };
    },
    {
      after: (_ms, callback) => {
        timers.push(callback);
        return () => void timers.splice(timers.indexOf(callback), 1);
      },
      whenIdle: () => () => undefined,
    },
  );
  return { highlighter, workers, timers };
}

describe('the thread that colours', () => {
  it('is not started before the first code', () => {
    expect(workshop().workers).toHaveLength(0);
  });

  it('gives each answer to who asked', async () => {
    const { highlighter, workers } = workshop();
    const first = highlighter.colour('json', '1');
    const second = highlighter.colour('json', '22');
    const [one, two] = workers[0]?.requests ?? [];
    workers[0]?.say('message', reply(two));
    workers[0]?.say('message', reply(one));
    expect((await first)?.lines).toEqual([[{ text: '1', tone: 'u' }]]);
    expect(await second).toEqual({ lines: [[{ text: '22', tone: 'u' }]], state: 7 });
  });

  it('leaves code plain when it dies, is started anew for the next, and given up after three deaths', async () => {
    const { highlighter, workers } = workshop();
    for (const attempt of [0, 1, 2]) {
      const waiting = highlighter.colour('json', '1');
      workers[attempt]?.say('error');
      expect(await waiting).toBeNull();
    }
    expect(await highlighter.colour('json', '1')).toBeNull();
    expect(workers).toHaveLength(3);
    expect(workers.every(({ ended }) => ended)).toBe(true);
  });

  it('is ended when it does not answer', async () => {
    const { highlighter, workers, timers } = workshop();
    const waiting = highlighter.colour('json', '1');
    timers.splice(0).forEach((timer) => timer());
    expect(await waiting).toBeNull();
    expect(workers[0]?.ended).toBe(true);
  });

  it('leaves code plain where a page may have no threads', async () => {
    const none = createHighlighter(
      () => {
        throw new Error('No workers here.');
      },
      { after: () => () => undefined, whenIdle: () => () => undefined },
    );
    expect(await none.colour('json', '1')).toBeNull();
  });

  it('keeps the colours of what was shown up to a limit, the last used the longest', () => {
    const { highlighter } = workshop();
    for (const letter of ['a', 'b', 'c']) highlighter.remember('json', text(letter), plainLines(letter));
    expect(highlighter.known('json', text('a'))).not.toBeNull();
    highlighter.remember('json', text('d'), plainLines('d'));
    expect(highlighter.known('json', text('b'))).toBeNull();
    expect(highlighter.known('json', text('a'))).toEqual([[{ text: 'a', tone: null }]]);
  });
});
