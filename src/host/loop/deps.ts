/** Everything that the loop needs from the rest of the host. It does no I/O of its own. */
import type { Touched } from '../../rules/grants.ts';
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type {
  ApprovalDecision,
  Editable,
  LoadPlan,
  ModelInfo,
  Profile,
  Reading,
  RunnerSlot,
  ToolDisplay,
  ToolItem,
  ContextUsage,
} from '../../protocol/model.ts';
import type {
  ContextMessage,
  ModelCall,
  ModelCandidate,
  ModelRequest,
  PromptHead,
  Provider,
  ReplyCounters,
} from '../providers/provider.ts';
import type {
  AgentSpawner,
  ApprovalNeed,
  PreparedCall,
  ProfileChoice,
  SessionData,
  Tool,
} from '../tools/tool.ts';
import type { LookCheck } from '../planning/evidence.ts';
import type { AttachedFile } from '../prompt/attached.ts';
import type { Stopped } from '../prompt/ledger/ledger.ts';
import type { TemplatePolicy } from '../prompt/template-policy.ts';
import type { ReadingSpeed } from '../prompt/prefill/reading-speed.ts';
import type { PromptMeasure } from '../prompt/token-estimate.ts';

/** Events leave the loop unstamped; the session gives them seq and time. */
export type Emit = (event: TurnEvent) => void;

/** The log of one session. Every prefix of it is a history that any model accepts. */
export interface ContextLog {
  messages(): readonly ContextMessage[];
  /** One transaction. An assistant message with calls comes with a placeholder result for each of them. */
  append(messages: ContextMessage[]): void;
  /** In one transaction. Each replaces the placeholder of its call, once, before it was ever sent. */
  settle(...results: CallResult[]): void;
  /** Before that call runs: these words stand before its placeholder, for the case that no result ever comes. */
  writePlaceholder(callId: string, words: string): void;
  measured(): PromptMeasure | null;
  setMeasured(measure: PromptMeasure): void;
  /** With the turn that each message came with, for what rewrites the log. */
  owned(): readonly OwnedMessage[];
  /** A compaction: these messages are the log from now on. Returns the number of the generation that begins. */
  rewrite(messages: readonly OwnedMessage[]): number;
}

/** What the model reads as the result of that call. */
export interface CallResult {
  callId: string;
  content: string;
}

/** null = a summary in place of the turns it came from. */
export interface OwnedMessage {
  message: ContextMessage;
  turnId: string | null;
}

/** How a model calls tools, as its replies taught it. */
export interface CallingFacts {
  mode: 'native' | 'constrained';
  /** It has made a structured call that was right. */
  provenNative: boolean;
  /** Steps in which a grammar brought a call that it had not made by itself. */
  grammarSteps: number;
}

/** What a reply answers: a message, or the result of a call. */
export type LeakPlace = 'user' | 'tool';

/** What was learnt of the models, by the digest of their bytes. */
export interface ModelKnowledge {
  calling(model: ModelInfo): CallingFacts;
  learnCalling(model: ModelInfo, facts: CallingFacts): void;
  /** Tokens that were counted ÷ tokens that were estimated, from this model's own replies; 1 = nothing learnt (W11). */
  tokenRatio(model: ModelInfo): number;
  learnTokens(model: ModelInfo, estimated: number, counted: number): void;
  /** The engine passed the thought of the last such reply on as text. */
  leaksThinking(model: ModelInfo, place: LeakPlace): boolean;
  learnLeak(model: ModelInfo, place: LeakPlace, leaks: boolean): void;
}

/** What was begun and what came of it: on disk before a side effect can happen (G6). */
interface CallJournal {
  started(call: ModelCall): void;
  ended(callId: string, ok: boolean, result: string): void;
}

/** What a model's template does to a history, probed before its first request. */
export interface Templates {
  policyOf(lease: Lease, signal: AbortSignal): Promise<TemplatePolicy>;
}

/** Which models may have lost their slot to a stop. Shared by all sessions: the slot is the engine's. */
export interface SlotWatch {
  closedWhileLinesCame(model: string): void;
  /** A line came: the slot is alive. */
  answered(model: string): void;
  suspect(model: string): boolean;
}

/** The right to use the GPU, with the model loaded by its plan. */
export interface Lease {
  url: string;
  plan: LoadPlan;
  model: ModelInfo;
  /**
   * After an answer that broke off: the same right, once the engine is there and the model proved or loaded again. Waits
   * for an engine that restarts (a minute at most, then throws), and leaves when the signal fires.
   */
  reacquire(onWait: OnWait, signal: AbortSignal): Promise<Reacquired>;
  /** The model's slot is lost: unloaded and loaded anew by the same plan, under this same right. */
  recoverSlot(signal: AbortSignal): Promise<{ tookMs: number }>;
  /** `failed`: the last request did, so the engine takes nothing that it knew of the model for granted. */
  release(failed: boolean): void;
}

export interface Reacquired {
  lease: Lease;
  /** The model had to be loaded for it. */
  loaded: boolean;
  versions: { before: string; now: string };
}

/** What is waited for: the model's load, for whomever, or the GPU (again). */
type OnWait = (phase: 'lease' | 'loading') => void;

export interface LeaseRequest {
  model: string;
  contextTokens: number;
  label: string;
}

export interface EngineAccess {
  /**
   * The session's own choice, else the profile's list, else any installed model that can call tools. Waits while the
   * engine is being found, at most until the signal fires. Throws with advice.
   */
  chooseModel(profile: Profile, pinned: string | null, signal: AbortSignal): Promise<ModelInfo>;
  /** Leaves the queue when the signal fires. */
  acquire(request: LeaseRequest, onWait: OnWait, signal: AbortSignal): Promise<Lease>;
  /** Is it still in memory? null = could not be asked. */
  residency(model: string): Promise<{ loaded: boolean; vramBytes: number | null } | null>;
  /** The runner's own account of its slots; null = it cannot be had. Never rejects. */
  slots(model: string): Promise<readonly RunnerSlot[] | null>;
}

/** The profile in force, read anew before every iteration (F10). */
export interface ActiveProfile {
  profile: Profile;
  /** The bytes in force for this session. */
  head: PromptHead;
  /** Fixed with the head; undefined = the model's own default. */
  think: boolean | string | undefined;
  pinnedModel: string | null;
}

export interface AuthorizeRequest {
  item: ToolItem;
  need: ApprovalNeed;
  /** What would happen, for the card; null = cannot be told. */
  preview: ToolDisplay | null;
  profile: Profile;
  /** null = the person can only say yes or no. */
  editable: EditableCall | null;
  /** The file or folder that it opens; null = none. */
  touched: Touched | null;
  /** What the model has read that the person did not write; null = nothing. */
  taint: string | null;
}

export interface EditableCall extends Editable {
  /** The same call with this text, refused as a model's would be: throws `invalid_params` with what is in the way. */
  withText(text: string): Promise<EditedCall>;
}

/** A call as the person wrote it anew, and allowed it. */
export interface EditedCall extends Editable {
  args: Record<string, unknown>;
  call: PreparedCall;
}

/** What a request is made with: fixed until the person switches the profile. */
export interface Setting {
  active: ActiveProfile;
  lease: Lease;
  /** What the template of the leased model makes worth sending. */
  policy: TemplatePolicy;
  /** A subagent has needed the GPU for another model: the lease has ended, and is taken anew before the next request. */
  away?: true;
}

/** What a subagent needs of the run that spawned it. */
export interface ParentRun {
  readonly input: TurnInput;
  readonly deps: TurnDeps;
  readonly emit: Emit;
  setting: Setting | undefined;
  /** A subagent on its lease was closed with the turn: the turn tells it. */
  closed?: ClosedStream | undefined;
}

/** Andiron's own account of what the engine's cache holds: each request is an entry of it. */
export interface Account {
  /** Before the first request to a model: what kind of memory it has. Asks once; never rejects. */
  know(lease: Pick<Lease, 'url' | 'model'>, signal: AbortSignal): Promise<void>;
  /** @param purpose `side` = asked on the prefix and no part of the log; `warm` = raw, up to where the next user text begins. */
  sent(model: ModelInfo, request: AccountedRequest, purpose: 'main' | 'side' | 'warm'): OpenEntry;
}

/** What of a request decides what is read. */
export interface AccountedRequest extends Pick<
  ModelRequest,
  'url' | 'plan' | 'model' | 'head' | 'history' | 'think'
> {
  messages: readonly ContextMessage[];
}

/** Ends with exactly one of `answered`, `stopped` and `failed`. Tokens. */
export interface OpenEntry {
  readonly expected: { promptTokens: number; cachedTokens: number };
  /** @param reply as it will stand in the log; undefined = nothing of it will. */
  answered(counters: ReplyCounters, reply: ContextMessage | undefined, slot: RunnerSlot | null): Reading;
  stopped(facts: Stopped): Reading;
  /** It was refused, or nothing reached the engine. */
  failed(): void;
}

export interface AttachedFiles {
  /** Where they are; `inlined`: texts with what is in them. Throws `not_found` when one is gone. */
  take(attachments: readonly Attachment[], inlined: boolean): Promise<AttachedFile[]>;
  /** What tools may read outside of the workspace. */
  paths(): readonly string[];
}

/**
 * `answered`: the slot is alive and the prompt in it, of so many tokens as the engine counted them (null = it did not).
 * `silent`: it is most likely lost. `failed`: refused, or gone.
 */
export type SlotProof = { found: 'answered'; promptTokens: number | null } | { found: 'silent' | 'failed' };

/** What a proof found out about the slot. */
export interface Found {
  slot: 'sound' | 'unproved' | 'cured' | 'lost';
  /** Tokens of the prompt, where they were counted. */
  promptTokens?: number;
  keptTokens: number | null;
  counted?: 'kept' | 'both';
  reloadMs: number | null;
  idle: boolean;
}

/** A connection to the model that a stop has closed. */
export interface ClosedStream {
  /** Then the close may have cost the model its slot. */
  linesCame: boolean;
  /** On the monotonic clock. */
  at: number;
}

export interface TurnDeps {
  provider: Provider;
  account: Account;
  /** Who else may answer for this model, in the order of the profile (F9); undefined = nobody. */
  fallbacks(model: ModelInfo, active: ActiveProfile): readonly ModelCandidate[] | undefined;
  tools: ReadonlyMap<string, Tool>;
  engine: EngineAccess;
  log: ContextLog;
  journal: CallJournal;
  slots: SlotWatch;
  /**
   * Does the model still answer, after a close while lines came? Asks what the session's next prompt begins with; silent
   * after `silenceMs` in which its runner was not seen to work either. Rejects only when Andiron closes.
   */
  proveSlot(lease: Lease, silenceMs: number): Promise<SlotProof>;
  /** Fires when the session closes: nothing is waited for any more. */
  closing: AbortSignal;
  /** Fires when the next message of the session waits: what only completes a proof makes way. */
  hurry: AbortSignal;
  templates: Templates;
  /** Looks at a file of the workspace for a step's check; what cannot be looked at has not passed. */
  look(check: LookCheck): Promise<{ passed: boolean; text: string }>;
  /** What lies in the workspace, as far as a grammar can name it: relative, with `/`; a folder ends with it. */
  workspaceEntries(): Promise<readonly string[]>;
  /** The files that came with messages; absent = none can come. */
  attached?: AttachedFiles;
  data: SessionData;
  models: ModelKnowledge;
  /** For one call, whose card is that item. null = this run is a subagent's. */
  agents: ((parent: ParentRun, itemId: string) => AgentSpawner) | null;
  /**
   * Keeps the untruncated result of the call on that card. Resolves with its length, or null where it could not be
   * kept; absent = nothing is.
   */
  keepWhole?(itemId: string, whole: string): Promise<number | null>;
  /** Those of the prompt that was counted last; absent = they are told apart each time. */
  contextParts?(): ContextUsage['parts'];
  /** Calls that the person can end one by one. `add` returns what takes a call out again; absent = none can be. */
  calls?: { add(callId: string, stop: () => void): () => void };
  profiles: ProfileChoice;
  active(): ActiveProfile;
  /** What is said once in a session, by any key. */
  told: Set<string>;
  /** Resolves with the person's answer; asks nobody where the policy or a grant allows it. Rejects when the signal fires. */
  authorize(
    request: AuthorizeRequest,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<ApprovalDecision | EditedCall>;
  /** What the model has read that the person did not write, in words; null = nothing. */
  taint(): string | null;
  /** Real path of the session's folder. */
  workspace: string;
  /** What the model has to know of the folder whenever a tool has looked there; null = nothing. */
  folderAdvice(): string | null;
  /** Zone 2 of the prompt: stands before the session's first message, and before a summary. */
  opening(): string;
  /** What is remembered that this message speaks of, for a note; null = nothing. */
  recalled(text: string): string | null;
  clock: Clock;
  newId: NewId;
  /** The next free item index of the session. */
  nextIndex(): number;
  /** How fast a model reads, learnt from its replies. */
  readingSpeed(model: string): ReadingSpeed;
  /** Counted as an incident. `words`: of the engine. */
  reportRefusedGrammar(model: string, words: string): void;
  onInternalError(error: unknown): void;
}

export interface TurnInput {
  sessionId: string;
  turnId: string;
  /** The person's choice; another one stands in for a profile that is gone. */
  profileId: string;
  text: string;
  /** What came with it; absent = nothing. */
  attachments?: readonly Attachment[];
  /** A plan may come first: only where somebody watches (A1, A2). */
  mayPlan: boolean;
}
