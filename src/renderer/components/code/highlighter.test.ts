import { describe, expect, it } from 'vitest';
import { createHighlighter } from './highlighter.ts';
import { knownLanguage, languageOfPath } from './languages.ts';

describe('colours of code', () => {
  it('come from the five tones of the tokens, and the text stays whole', async () => {
    const highlighter = createHighlighter();
    expect(highlighter.ready('typescript')).toBeNull();
    const tokenizer = await highlighter.load('typescript');
    const code = "const a = fn('text', 12); // why";
    const [line = []] = tokenizer?.lines(code, undefined).lines ?? [];
    expect(line.map((token) => token.text).join('')).toBe(code);
    const tone = (text: string) => line.find((token) => token.text.includes(text))?.tone;
    expect([tone('const'), tone('fn'), tone("'text'"), tone('12'), tone('// why')]).toEqual([
      'k',
      'f',
      's',
      'u',
      'c',
    ]);
    expect(highlighter.ready('typescript')).toBe(tokenizer);
  });

  it('go on across lines from the state of the line before', async () => {
    const tokenizer = await createHighlighter().load('typescript');
    const first = tokenizer?.lines('/* begins', undefined);
    const second = tokenizer?.lines('ends */ const a', first?.state);
    expect(second?.lines[0]?.[0]?.tone).toBe('c');
  });

  it('are loaded once, also when asked twice at once', () => {
    const highlighter = createHighlighter();
    expect(highlighter.load('json')).toBe(highlighter.load('json'));
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
