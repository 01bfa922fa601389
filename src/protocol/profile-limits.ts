/** Defaults of a profile that others than its schema need to know. Plain constants: the window reads them too. */

/** Tokens of context where a profile names none. */
export const defaultContextTokens = 16_384;
