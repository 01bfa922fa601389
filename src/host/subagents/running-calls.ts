/** The subagents, or the calls, of one session that work now, each with its own Stop. */
export type RunningCalls = ReturnType<typeof createRunningCalls>;

export function createRunningCalls() {
  const stops = new Map<string, () => void>();
  return {
    /** Returns what takes it out again. */
    add(callId: string, stop: () => void): () => void {
      stops.set(callId, stop);
      return () => stops.delete(callId);
    },
    /** Answers at once. One that has ended meanwhile needs no stop. */
    stop: (callId: string): void => stops.get(callId)?.(),
  };
}
