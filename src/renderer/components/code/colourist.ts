/** The worker's side: shiki's core with its plain JavaScript engine, so no wasm and no eval under the strict CSP. */
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';
import { loadGrammar } from './languages.ts';
import { codeTheme, toneOf } from './theme.ts';
import { encodeLines, type CodeLine } from './tones.ts';

export interface ColourRequest {
  id: number;
  language: string;
  code: string;
  /** What was handed out at the end of the lines before; null = the code begins here. */
  after: number | null;
}

export interface ColourReply {
  id: number;
  /** null = it stays plain: no such grammar, or `after` is not known any more. */
  tones: Uint32Array<ArrayBuffer> | null;
  /** Goes on at the end of these lines. */
  state: number | null;
}

/** Longer lines are shown plain: a minified file must not hold up what waits behind it. */
const maxLineLength = 1000;
/** The first line of a language also compiles its patterns: a limit that cuts it short would colour it wrongly for good. */
const lineTimeMs = 5000;
/** Texts that grow at the same time; of more the oldest begin anew. */
const keptStates = 64;

/**
 * Nothing is loaded until the first code comes; then the core once and each grammar once.
 * @param limitMs for one line; 0 = none
 */
export function createColourist(limitMs = lineTimeMs): (request: ColourRequest) => Promise<ColourReply> {
  const states = new Map<number, GrammarState>();
  const grammars = new Map<string, Promise<void>>();
  let core: Promise<HighlighterCore> | undefined;
  let lastState = 0;

  const ready = async (language: string): Promise<HighlighterCore> => {
    core ??= loadCore();
    const highlighter = await core;
    const known = grammars.get(language);
    const loading = known ?? loadGrammar(language).then((grammar) => highlighter.loadLanguage(...grammar));
    grammars.set(language, loading);
    await loading;
    return highlighter;
  };

  const keep = (state: GrammarState | undefined): number | null => {
    if (!state) return null;
    lastState += 1;
    states.set(lastState, state);
    for (const id of states.keys()) {
      if (states.size <= keptStates) break;
      states.delete(id);
    }
    return lastState;
  };

  return async ({ id, language, code, after }) => {
    const before = after === null ? undefined : states.get(after);
    if (after !== null && !before) return { id, tones: null, state: null };
    try {
      const highlighter = await ready(language);
      const { tokens, grammarState } = highlighter.codeToTokens(code, {
        lang: language,
        theme: 'andiron',
        tokenizeMaxLineLength: maxLineLength,
        tokenizeTimeLimit: limitMs,
        ...(before && { grammarState: before }),
      });
      if (after !== null) states.delete(after);
      return { id, tones: encodeLines(tokens.map(merge)), state: keep(grammarState) };
    } catch {
      // A chunk that cannot be fetched leaves the code plain, which is readable.
      return { id, tones: null, state: null };
    }
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
