/**
 * What the loop needs from the rest of the host, in four ports. A function takes those that it uses; only the steps that
 * read like the turn itself (`run-turn`, `work`, `run-ephemeral`) see all of them. The loop does no I/O of its own.
 */
import type { ContextUsage, ModelInfo } from '../../protocol/model.ts';
import type { LookCheck } from '../planning/evidence.ts';
import type { PersonMessage } from '../prompt/person-message.ts';
import type { ReadingSpeed } from '../prompt/prefill/reading-speed.ts';
import type { MeteredProvider, ModelCandidate } from '../providers/provider.ts';
import type { Words } from '../tools/advice.ts';
import type { AgentSpawner, FormAnswer, ProfileChoice, SessionData, Tool } from '../tools/tool.ts';
import type {
  ReadTexts,
  CacheTracker,
  ActiveProfile,
  AttachedFiles,
  AuthorizeRequest,
  CallJournal,
  ContextLog,
  ApprovalVerdict,
  Emit,
  FormRequest,
  Granted,
  EngineAccess,
  Lease,
  ModelKnowledge,
  SlotProof,
  Setting,
  SlotWatch,
  Templates,
} from './deps.ts';
import type { Output, OutPort } from './output.ts';
import type { StopWatch } from './stop-watch.ts';

/** Whom the run asks: the engine and its models, with what is known of both. */
export interface ModelPort {
  engine: EngineAccess;
  provider: MeteredProvider;
  active(): ActiveProfile;
  templates: Templates;
  models: ModelKnowledge;
  /** Absent = models are asked nothing beforehand. */
  meeting?: ModelMeeting;
  tracker: CacheTracker;
  slots: SlotWatch;
  proof: SlotProver;
  /** Who else may answer for this model, in the order of the profile (F9); undefined = nobody. */
  fallbacks(model: ModelInfo, active: ActiveProfile): readonly ModelCandidate[] | undefined;
  /** How fast a model reads, learnt from its replies. */
  readingSpeed(model: string): ReadingSpeed;
  /** Counted as an incident. `words`: of the engine. */
  reportRefusedGrammar(model: string, words: string): void;
}

/** Finds out what a model can do that nobody knows yet. */
interface ModelMeeting {
  /** Before anything was said. `onBegin`: it is asked something. Rejects only with the signal's reason. */
  meet(granted: Granted, onBegin: () => void, signal: AbortSignal): Promise<void>;
  /** When nobody needs the GPU. */
  meetLater(granted: Granted): void;
}

/** Whether a model lives, after a close while lines came. */
interface SlotProver {
  /**
   * Asks what the session's next prompt begins with; silent after `silenceMs` in which its runner was not seen to work
   * either. Rejects only when Andiron closes.
   */
  prove(lease: Lease, silenceMs: number): Promise<SlotProof>;
  /** Fires when the session closes: nothing is waited for any more. */
  closing: AbortSignal;
  /** Fires when the next message of the session waits: what only completes a proof makes way. */
  preempted: AbortSignal;
}

/** What the model is sent, and what the disk keeps of its calls. */
export interface HistoryPort {
  log: ContextLog;
  journal: CallJournal;
  /** Zone 2 of the prompt: stands before the session's first message, and before a summary. */
  opening(): string;
  /**
   * Before the first message: looks up what is to stand in it. Never rejects. Resolves with true where the folder has
   * something to say and is not trusted; absent = there is nothing to look up.
   */
  prepareOpening?(message: PersonMessage, signal: AbortSignal): Promise<boolean>;
  /** The model reads it from now on; absent = nothing in it is by others. */
  noteOpening?(): void;
  /** Looks for what the message means, so that `recalled` can tell it. Never rejects; null or absent = there is nothing to wait for. */
  prepareRecall?(message: PersonMessage, signal: AbortSignal): Promise<void> | null;
  /** What is remembered that this message speaks of, for a note; null = nothing. */
  recalled(message: PersonMessage): string | null;
  /** Those of the prompt that was counted last; absent = they are told apart each time. */
  contextParts?(): ContextUsage['parts'];
}

/** What a call can reach, and who allows it. */
export interface ToolPort {
  sessionId: string;
  tools: ReadonlyMap<string, Tool>;
  workspace: Workspace;
  /** The files that came with messages; absent = none can come. */
  attached?: AttachedFiles;
  data: SessionData;
  profiles: ProfileChoice;
  /** For one call of the run, whose card is that item. null = this run is a subagent's. */
  agents: ((parent: Run, itemId: string) => AgentSpawner) | null;
  /** Resolves with the person's answer; asks nobody where the policy or a grant allows it. Rejects when the signal fires. */
  authorize(request: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<ApprovalVerdict>;
  reads: ReadTexts;
  /** Hosts that commands may ask for; absent = they reach none. */
  hosts?: ReachedHosts;
  /** What the person may do with a call that runs; absent = nothing. */
  calls?: OpenCalls;
  /**
   * Keeps the untruncated result of the call on that card. Resolves with its length, or null where it could not be
   * kept; absent = nothing is.
   */
  keepWhole?(itemId: string, whole: string): Promise<number | null>;
}

interface OpenCalls {
  /** The person can end it. Returns what takes it out again. */
  add(callId: string, stop: () => void): () => void;
  /** Has them fill in what the program behind it wants to know. Rejects when the signal fires. */
  askForm(request: FormRequest, emit: Emit, signal: AbortSignal): Promise<FormAnswer>;
}

interface ReachedHosts {
  /** A command of the session reaches that host. */
  reached(reached: { callId: string; host: string }): void;
}

/** The session's folder. */
export interface Workspace {
  /** Its real path. */
  path: string;
  /** What the model has to know of it whenever a tool has looked there; null = nothing. */
  advice(): Words | null;
  /** What lies there, as far as a grammar can name it: relative, with `/`; a folder ends with it. */
  entries(): Promise<readonly string[]>;
  /** Looks at a file for a step's check; what cannot be looked at has not passed. */
  look(check: LookCheck): Promise<{ passed: boolean; text: string }>;
}

export interface Ports {
  model: ModelPort;
  history: HistoryPort;
  tools: ToolPort;
  out: OutPort;
}

/** What a request is made from. */
export interface RequestScope {
  readonly model: ModelPort;
  readonly history: HistoryPort;
  readonly out: Output;
  readonly stop: StopWatch;
  /** Profile, model and lease in force. */
  setting: Setting;
}

/** A run that has its lease. */
export interface Run extends RequestScope {
  readonly tools: ToolPort;
}

/** A run before the GPU was granted. */
export type WaitingRun = Omit<Run, 'setting'>;
