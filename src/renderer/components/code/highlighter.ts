/** Colours for code: shiki's core with its plain JavaScript engine, so no wasm and no eval under the strict CSP. */
import { createContext } from 'react';
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';
import { loadGrammar } from './languages.ts';
import { codeTheme, toneOf, type CodeTone } from './theme.ts';

export interface CodeToken {
  text: string;
  tone: CodeTone | null;
}
export type CodeLine = CodeToken[];

/** What the tokenizer must remember at the end of a line to go on with the next one. */
export type LineState = GrammarState;

export interface Tokenizer {
  /** Tokens of whole lines that follow a line with state `after`. */
  lines(code: string, after: LineState | undefined): { lines: CodeLine[]; state: LineState | undefined };
}

export interface Highlighter {
  /** The tokenizer of a known language when it is already loaded. */
  ready(language: string): Tokenizer | null;
  load(language: string): Promise<Tokenizer | null>;
}

/** Null in tests and before the app is up: code is then shown without colours. */
export const HighlighterContext = createContext<Highlighter | null>(null);

/** Longer lines are shown plain: a minified file must not hold up the window. */
const longestLine = 1000;
/** The first line of a language also compiles its patterns: a limit that cuts it short would colour it wrongly for good. */
const lineTimeMs = 5000;

/** Nothing is loaded until the first code is shown; then the core once and each grammar once. */
export function createHighlighter(): Highlighter {
  const tokenizers = new Map<string, Tokenizer | null>();
  const loading = new Map<string, Promise<Tokenizer | null>>();
  let core: Promise<HighlighterCore> | undefined;

  const loadTokenizer = async (language: string): Promise<Tokenizer | null> => {
    core ??= loadCore();
    const [highlighter, grammar] = await Promise.all([core, loadGrammar(language)]);
    await highlighter.loadLanguage(...grammar);
    const tokenizer = createTokenizer(highlighter, language);
    tokenizers.set(language, tokenizer);
    return tokenizer;
  };

  return {
    ready: (language) => tokenizers.get(language) ?? null,
    load(language) {
      const begun = loading.get(language);
      if (begun) return begun;
      // A chunk that cannot be fetched leaves the code plain, which is readable.
      const promise = loadTokenizer(language).catch(() => null);
      loading.set(language, promise);
      return promise;
    },
  };
}

async function loadCore(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ]);
  return createHighlighterCore({
    themes: [codeTheme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

function createTokenizer(highlighter: HighlighterCore, language: string): Tokenizer {
  return {
    lines(code, after) {
      const result = highlighter.codeToTokens(code, {
        lang: language,
        theme: 'andiron',
        tokenizeMaxLineLength: longestLine,
        tokenizeTimeLimit: lineTimeMs,
        ...(after && { grammarState: after }),
      });
      return { lines: result.tokens.map((line) => merge(line)), state: result.grammarState };
    },
  };
}

/** Neighbours of one colour become one element: fewer nodes, faster layout. */
function merge(line: ThemedToken[]): CodeLine {
  const merged: CodeLine = [];
  for (const { content, color } of line) {
    const tone = toneOf(color);
    const last = merged.at(-1);
    if (last && (last.tone === tone || content.trim() === '')) last.text += content;
    else merged.push({ text: content, tone });
  }
  return merged;
}
