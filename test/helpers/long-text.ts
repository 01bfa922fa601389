/** Long texts for scripted models: one that says the same over and over is taken for one that does not end. */

/** The sentence so many times, each with its number behind it. */
export const numbered = (sentence: string, times: number): string =>
  Array.from({ length: times }, (_, at) => `${sentence}(${String(at + 1)}) `).join('');
