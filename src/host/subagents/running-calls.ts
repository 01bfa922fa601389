/** The subagents, or the calls, of one session that work now, each with its own Stop. */
export interface RunningCalls {
  /** Returns what takes it out again. */
  add(callId: string, stop: () => void): () => void;
  /** Answers at once. One that has ended meanwhile needs no stop. */
  stop(callId: string): void;
}

export function createRunningCalls(): RunningCalls {
  const stops = new Map<string, () => void>();
  return {
    add(callId, stop) {
      stops.set(callId, stop);
      return () => stops.delete(callId);
    },
    stop: (callId) => stops.get(callId)?.(),
  };
}
