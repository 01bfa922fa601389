/** How fast a model reads, learnt from prompts of which the evaluated part is known; tells it of the others. */

/** Shorter stretches say more about overhead than about speed. */
const minTokens = 64;
const learningRate = 0.3;

export class ReadingRate {
  #msPerToken: number | null = null;

  learn(evaluated: number, ms: number): void {
    if (evaluated < minTokens || ms <= 0) return;
    const now = ms / evaluated;
    this.#msPerToken =
      this.#msPerToken === null ? now : this.#msPerToken + (now - this.#msPerToken) * learningRate;
  }

  /** null = nothing was learnt yet. */
  tokensIn(ms: number): number | null {
    return this.#msPerToken === null ? null : ms / this.#msPerToken;
  }
}
