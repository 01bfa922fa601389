/** A guess where nobody has counted (I6): window and host make the same one. */
export const charactersPerToken = 4;

export const guessTokens = (characters: number): number => Math.ceil(characters / charactersPerToken);
