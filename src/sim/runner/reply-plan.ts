/**
 * What a runner will do for one request: the compiled form of a scripted reply. Plain data.
 */
export interface Plan {
  /** Makes the prefill take this long, whatever it would take otherwise. */
  prefillMs?: number;
  /** Answered instead of a reply, before anything is evaluated: an HTTP error of the runner. */
  refusal?: { status: number; body: string };
  steps: PlanStep[];
  /** Why generation ends once the steps are used up, and text that comes with that last event. */
  stop: { reason: StopReason; text: string };
  /** The next close during this reply costs the model a slot. */
  losesSlot: boolean;
  /** The model is removed from the library once this reply has ended. */
  deletesModel: boolean;
  /** The answer goes out byte by byte. */
  splitsBytes: boolean;
}

export type StopReason = 'eos' | 'word' | 'limit';

export type PlanStep =
  /** One generated token; `pauseMs` replaces the usual time for it. Calls exist on the native path only. */
  | { kind: 'token'; event: TokenEvent; text: string; pauseMs?: number }
  | { kind: 'pause'; ms: number }
  | { kind: 'fault'; fault: Fault };

/** What the runner sends for one token. */
export type TokenEvent =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; index: number; id: string; name: string }
  | { kind: 'arguments'; index: number; text: string }
  /** Notation that a native runner keeps to itself. */
  | { kind: 'markup' };

/** What goes wrong in the runner; Ollama makes an error of it, or takes it for the end. */
export type RunnerFault =
  | { kind: 'exit'; text: string }
  | { kind: 'kill' }
  | { kind: 'runner-reset' }
  | { kind: 'runner-eof' }
  | { kind: 'runner-error'; message: string; prefix: 'data' | 'error' }
  | { kind: 'runner-malformed' }
  | { kind: 'runner-huge' };

/** Ways in which a reply goes wrong. Those named here happen between Ollama and its client. */
export type Fault =
  | RunnerFault
  | { kind: 'hang' }
  | { kind: 'error-line'; text: string }
  | { kind: 'bad-line' }
  | { kind: 'bad-bytes' }
  | { kind: 'huge-line'; bytes: number }
  | { kind: 'blank-lines'; everyMs: number }
  | { kind: 'restart'; awayMs: number; version: string | undefined }
  | { kind: 'reset' }
  | { kind: 'end-without-done' }
  | { kind: 'done-twice' };

export interface Timings {
  promptTokens: number;
  cachedTokens: number;
  generatedTokens: number;
  prefillMs: number;
  decodeMs: number;
}

/** Faults after which the runner goes on until its connection is dropped. */
export const isEndless = ({ kind }: Fault): boolean => kind === 'hang' || kind === 'blank-lines';

/** What reaches Ollama from its runner. `refused`, `fault` and `final` end the stream. */
export type RunnerEvent =
  | TokenEvent
  | { kind: 'refused'; status: number; body: string }
  | { kind: 'fault'; fault: Fault; timings: Timings }
  | { kind: 'final'; text: string; stop: StopReason; timings: Timings };
