/** Room for whatever else waits in this process: other sessions, a Stop, a window that asks. */

/** Runs once everything is done that this task of the event loop has begun. */
export function afterThisTask(run: () => void): void {
  setImmediate(run);
}

/** Resolves after every other task that is due has had its turn. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
