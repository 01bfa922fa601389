/** What the tools need of the memory of whoever a session belongs to; `host/index.ts` supplies it. */
export interface MemoryAccess {
  /** Replaces what had this category and key. Throws AndironError, with advice, for what may not be remembered. */
  save(
    fact: { category?: string | undefined; key: string; value: string },
    sessionId: string,
    /** `taught`: the model has read what the person did not write, and may say what that said. */
    origin: 'saved' | 'taught',
  ): { fact: RememberedFact; change: 'added' | 'changed' | 'known' | 'kept' };
  /** The best first; never more than fit on a page. */
  search(query: string, sessionId: string, signal: AbortSignal): Promise<readonly FoundMemory[]>;
}

export interface RememberedFact {
  category: string;
  key: string;
  value: string;
}

export interface FoundMemory extends RememberedFact {
  isTaught: boolean;
  by: 'words' | 'meaning' | 'both';
}

export const factLine = ({ category, key, value }: RememberedFact): string =>
  `${category}: ${key} = ${value}`;
