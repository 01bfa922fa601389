/**
 * What a tool says to a model: what happened, and what to do next. A guided model takes the second for its answer, so it
 * reads the first alone.
 */

export interface Words {
  /** What happened, with what to do next. */
  content: string;
  /** The content without its advice; absent = it holds none. */
  bare?: string | undefined;
}

/** What happened, then what to do next: after a space, unless it begins a line of its own. */
export function inWords(happened: string, advice = ''): Words {
  const space = advice === '' || advice.startsWith('\n') ? '' : ' ';
  return advised((advise) => happened + advise(space + advice));
}

/** Marks what is advice, with the space before it. Returns it, or nothing where advice is left out. */
export type Advise = (advice: string) => string;

/** `say` is asked twice: with its advice and without. */
export function advised(say: (advise: Advise) => string): Words {
  return withBare(
    say((advice) => advice),
    say(() => ''),
  );
}

/** Words made of others, with and without their advice. */
export function combined(join: (...texts: string[]) => string, ...parts: readonly Words[]): Words {
  return withBare(
    join(...parts.map(({ content }) => content)),
    join(...parts.map((words) => wordsFor(true, words))),
  );
}

/** As a model reads them. */
export const wordsFor = (isGuided: boolean, { content, bare }: Words): string =>
  isGuided ? (bare ?? content) : content;

const withBare = (content: string, bare: string): Words =>
  bare === content ? { content } : { content, bare };
