/** Ending the app: asks only while a turn runs, then stops everything politely, and always ends. */
import type { Clock, Timer } from '../platform/clock.ts';

export interface ClosingDeps {
  runningTurns: () => number;
  /** True = stop the turns and close. Aborted when the answer does not matter any more. */
  ask: (signal: AbortSignal) => Promise<boolean>;
  /** The question was answered with no. */
  onKeptOpen: () => void;
  shutdown: () => Promise<void>;
  /** Begins to quit: `beforeQuit` is called again. */
  quit: () => void;
  /** The question could not be asked, or the shutdown did not end well; the app ends all the same. */
  onFailure: (error: unknown) => void;
  clock: Pick<Clock, 'after'>;
}

export interface Preventable {
  preventDefault(): void;
}

export type Closing = ReturnType<typeof createClosing>;

export const closingLimits = {
  /** From a signal to the end without an answer. A system that ends a session waits longer before it kills. */
  signalAnswerMs: 10_000,
  /** For the whole shutdown: 5 s for the host and 14 s for an Ollama of our own, and some more. */
  shutdownMs: 30_000,
};

export function createClosing(deps: ClosingDeps) {
  const { runningTurns, ask, onKeptOpen, shutdown, quit, onFailure, clock } = deps;
  let step: 'open' | 'asking' | 'ending' | 'done' = 'open';
  let question = new AbortController();
  let answerLimit: Timer | undefined;
  let systemEnding = false;

  const end = async (): Promise<void> => {
    step = 'ending';
    answerLimit?.cancel();
    question.abort();
    try {
      await within(closingLimits.shutdownMs, shutdown(), clock);
    } catch (error) {
      onFailure(error);
    } finally {
      step = 'done';
      quit();
    }
  };

  /** A question that cannot be asked must not keep the app open for ever. */
  const isAgreed = async (): Promise<boolean> => {
    try {
      return await ask(question.signal);
    } catch (error) {
      onFailure(error);
      return true;
    }
  };

  const askAndEnd = async (): Promise<void> => {
    step = 'asking';
    question = new AbortController();
    const agreed = runningTurns() === 0 || (await isAgreed());
    // While the question was open, the system may have answered it.
    if (!isAsking()) return;
    if (agreed) {
      await end();
      return;
    }
    step = 'open';
    answerLimit?.cancel();
    answerLimit = undefined;
    onKeptOpen();
  };
  const isAsking = (): boolean => step === 'asking';
  const isOver = (): boolean => step === 'ending' || step === 'done';
  const endUnasked = (): void => {
    if (!isOver()) void end();
  };

  return {
    /** For the app's `before-quit`. */
    beforeQuit(event: Preventable): void {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') void askAndEnd();
    },
    /** For `close` of the last window where that ends the app: the window stays until the question is answered. */
    lastWindowCloses(event: Preventable): void {
      if (step === 'done') return;
      event.preventDefault();
      if (step === 'open') quit();
    },
    /**
     * The machine goes down, or the person logs out: everything ends as a stop does, and nobody is asked. An `event` that can
     * hold the system back does so until it has ended.
     */
    systemEnds(event?: Preventable): void {
      systemEnding = true;
      if (step === 'done') return;
      event?.preventDefault();
      endUnasked();
    },
    /**
     * A signal asks the process to end. It may come from a person at a terminal or from a logout, after which nobody answers:
     * the question is open for a while only.
     */
    signalled(): void {
      if (step === 'open') quit();
      // Several signals are one: a terminal that closes sends two.
      if (isOver() || answerLimit) return;
      answerLimit = clock.after(closingLimits.signalAnswerMs, endUnasked);
    },
    /** Nobody sees it, so nobody is asked. */
    endUnasked,
    /** Everything is being stopped, or was: nothing may be opened any more. */
    isEnding: isOver,
    /** `systemEnds` was called, whatever was going on by then. */
    isSystemEnding: (): boolean => systemEnding,
  };
}

/** Rejects when it takes longer. */
async function within(ms: number, work: Promise<void>, clock: Pick<Clock, 'after'>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(ms, () => late.reject(new Error('The shutdown took too long.')));
  try {
    await Promise.race([work, late.promise]);
  } finally {
    timer.cancel();
  }
}

/** In order; one that fails is told, and the next runs all the same. What comes before a promise happens at once. */
export async function runEach(
  steps: readonly (() => Promise<void> | void)[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const step of steps) {
    try {
      const running = step();
      if (running) await running;
    } catch (error) {
      onFailure(error);
    }
  }
}
