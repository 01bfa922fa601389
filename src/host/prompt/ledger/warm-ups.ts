/** Whether warm-ups of a model prove useful: one that was read again switches them off. */

/** So often a warm-up is passed over before another one may prove itself. */
const trialEvery = 8;

export class WarmUps {
  #isUseless = false;
  #passedOver = 0;

  /** Asked before each warm-up. */
  isWorthTrying(): boolean {
    if (!this.#isUseless) return true;
    this.#passedOver += 1;
    return this.#passedOver % trialEvery === 0;
  }

  proved(wastedTokens: number): void {
    this.#isUseless = wastedTokens > 0;
    this.#passedOver = 0;
  }
}
