/** Ending the app: asks only while a turn runs, then stops everything politely (design 12). */

export interface ClosingDeps {
  runningTurns: () => number;
  /** True = stop the turns and close. */
  ask: () => Promise<boolean>;
  /** Never rejects. */
  shutdown: () => Promise<void>;
  /** Begins to quit: `beforeQuit` is called again. */
  quit: () => void;
}

interface Preventable {
  preventDefault(): void;
}

export interface Closing {
  /** For the app's `before-quit`. */
  beforeQuit(event: Preventable): void;
  /** For `close` of the last window where that ends the app: the window stays until the question is answered. */
  lastWindowCloses(event: Preventable): void;
}

export function createClosing({ runningTurns, ask, shutdown, quit }: ClosingDeps): Closing {
  let step: 'open' | 'ending' | 'done' = 'open';

  const end = async (): Promise<void> => {
    step = 'ending';
    if (runningTurns() > 0 && !(await ask())) {
      step = 'open';
      return;
    }
    await shutdown();
    step = 'done';
    quit();
  };

  return {
    beforeQuit(event) {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') void end();
    },
    lastWindowCloses(event) {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') quit();
    },
  };
}
