/** Ending the app: asks only while a turn runs, then stops everything politely (design 12). */

export interface ClosingDeps {
  runningTurns: () => number;
  /** True = stop the turns and close. */
  ask: () => Promise<boolean>;
  /** The question was answered with no. */
  onKeptOpen: () => void;
  /** Never rejects. */
  shutdown: () => Promise<void>;
  /** Begins to quit: `beforeQuit` is called again. */
  quit: () => void;
}

export interface Preventable {
  preventDefault(): void;
}

export interface Closing {
  /** For the app's `before-quit`. */
  beforeQuit(event: Preventable): void;
  /** For `close` of the last window where that ends the app: the window stays until the question is answered. */
  lastWindowCloses(event: Preventable): void;
  /**
   * The machine goes down, or the person logs out: everything ends as a stop does, and nobody is asked. An `event` that can
   * hold the system back does so until it has ended.
   */
  systemEnds(event?: Preventable): void;
}

export function createClosing({ runningTurns, ask, onKeptOpen, shutdown, quit }: ClosingDeps): Closing {
  let step: 'open' | 'asking' | 'ending' | 'done' = 'open';

  const end = async (): Promise<void> => {
    step = 'ending';
    await shutdown();
    step = 'done';
    quit();
  };

  const askAndEnd = async (): Promise<void> => {
    step = 'asking';
    const agreed = runningTurns() === 0 || (await ask());
    // While the question was open, the system may have answered it.
    if (!isAsking()) return;
    if (agreed) await end();
    else {
      step = 'open';
      onKeptOpen();
    }
  };
  const isAsking = (): boolean => step === 'asking';

  return {
    beforeQuit(event) {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') void askAndEnd();
    },
    lastWindowCloses(event) {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') quit();
    },
    systemEnds(event) {
      if (step === 'done') return;
      event?.preventDefault();
      if (step !== 'ending') void end();
    },
  };
}
