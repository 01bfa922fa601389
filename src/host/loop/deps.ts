/** What passes through the ports of the loop (`ports.ts`): its log, its lease, and what is asked and learnt on the way. */
import type { Touched } from '../../rules/grants.ts';
import type { Ability } from '../../protocol/abilities.ts';
import type { UndoCoverage } from '../../protocol/changed-files.ts';
import type { TextSource } from '../../protocol/foreign-text.ts';
import type { SourcedText } from '../../rules/shared-text.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { FormQuestion } from '../../protocol/form-question.ts';
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type {
  ApprovalDecision,
  Editable,
  LoadPlan,
  ModelInfo,
  PlanStep,
  Profile,
  Reading,
  RunnerSlot,
  ToolDisplay,
  ToolItem,
  TurnPermission,
  WantedFor,
} from '../../protocol/model.ts';
import type {
  ContextMessage,
  ModelCall,
  ModelRequest,
  PromptHead,
  ReplyCounters,
  SentFile,
} from '../providers/provider.ts';
import type { ApprovalNeed, ForeignReads, PreparedCall, ResultPicture } from '../tools/tool.ts';
import type { AttachedFile } from '../prompt/attached.ts';
import type { Stopped } from '../prompt/ledger/ledger.ts';
import type { PersonMessage } from '../prompt/person-message.ts';
import type { TemplatePolicy } from '../prompt/template-policy.ts';
import type { PromptMeasure } from '../prompt/token-estimate.ts';

/** Events leave the loop unstamped; the session gives them seq and time. */
export type Emit = (event: TurnEvent) => void;

/** The log of one session. Every prefix of it is a history that any model accepts. */
export interface ContextLog {
  messages(): readonly ContextMessage[];
  /** One transaction. An assistant message with calls comes with a placeholder result for each of them. */
  append(messages: ContextMessage[]): void;
  /** To the end of the newest message, a person's that no model was sent yet. */
  addNotes(notes: string): void;
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
  /** Its pictures; absent = none. */
  files?: SentFile[];
}

/** null = a summary in place of the turns it came from. */
export interface OwnedMessage {
  message: ContextMessage;
  turnId: string | null;
}

/** What a reply answers: a message, or the result of a call. */
export type LeakPlace = 'user' | 'tool';

/** What was learnt of the models, by the digest of their bytes. */
export interface ModelKnowledge {
  /** The evidence so far lets Andiron rely on it; a model that was never asked starts with what is safe. */
  holds(model: ModelInfo, ability: Ability): boolean;
  /** It is held, or was not seen to fail more often than not. */
  mayTry(model: ModelInfo, ability: Ability): boolean;
  /** One more piece of evidence, kept at once. */
  observe(model: ModelInfo, ability: Ability, isGood: boolean): void;
  /** Tokens that were counted ÷ tokens that were estimated, from this model's own replies; 1 = nothing learnt (W11). */
  tokenRatio(model: ModelInfo): number;
  learnTokens(model: ModelInfo, estimated: number, counted: number): void;
  /** The engine passed the thought of the last such reply on as text. */
  leaksThinking(model: ModelInfo, place: LeakPlace): boolean;
  learnLeak(model: ModelInfo, place: LeakPlace, leaks: boolean): void;
}

/** What was begun and what came of it: on disk before a side effect can happen (G6). */
export interface CallJournal {
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
export type OnWait = (phase: 'lease' | 'loading', ahead?: number) => void;

export interface LeaseRequest {
  model: string;
  contextTokens: number;
  label: string;
  /** Absent = the owner. */
  wantedFor?: WantedFor;
  /** Two requests of one head are read faster one behind the other. */
  head?: string;
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

/** Of the tools of a profile: all of them, or all but those that plan. */
export type Toolset = 'core' | 'full';

/** Which of its tools the head of a session shows to a model. */
export interface Toolsets {
  /** As it was kept; before that, by what is known of the model now. */
  of(model: ModelInfo): Toolset;
  /** From now on the same, whatever is learnt of the model: another one would have the whole prompt read again. */
  keep(model: ModelInfo): void;
}

/** The profile in force, read anew before every iteration (F10). */
export interface ActiveProfile {
  profile: Profile;
  /** The bytes in force for this session. */
  head: PromptHead;
  toolsets: Toolsets;
  /** Fixed with the head; undefined = the model's own default. */
  think: boolean | string | undefined;
  /** Of one reply; absent = as many as the context has room for. */
  maxOutputTokens?: number | null;
  pinnedModel: string | null;
  /** Whose turn it is; absent = the owner's. */
  wantedFor?: WantedFor;
  /** Prompts of that model that have the same begin alike; absent = unknown. */
  headId?: (model: ModelInfo) => string;
}

export interface AuthorizeRequest {
  item: ToolItem;
  need: ApprovalNeed;
  /** What would happen, for the card; null = cannot be told. */
  preview: ToolDisplay | null;
  profile: Profile;
  /** null = the person can only say yes or no. */
  editable: EditableCall | null;
  /** What the sandbox kept from it, where it is asked about once more to run outside; absent = the first question. */
  refused?: string;
  /** The host that it wants to reach while it runs; absent = it is asked about the call itself. */
  host?: AskedHost;
  /** The file or folder that it opens; null = none. */
  touched: Touched | null;
  reads: ReadTexts;
  /** The model was not led to it, and its calls alone cannot be relied on. */
  isUnannounced: boolean;
  /** A skill that lists the tools it needs, and not this one; null or absent = none. */
  narrowedBy?: string | null;
  /** What of the folder could be taken back, where that is known. */
  undo?: (() => Promise<UndoCoverage>) | undefined;
}

/** What a program behind a call that runs wants to know from the person. */
export interface FormRequest {
  item: ToolItem;
  question: FormQuestion;
}

/** What the model has read, told apart by who wrote it. */
export interface ReadTexts extends Pick<ForeignReads, 'taint'> {
  /** From elsewhere than the folder and this host, in words; null = nothing. Absent = all of it counts. */
  elsewhere?: (host: string) => string | null;
  /** Absent = memory was taught nothing by others. */
  recalled?: ForeignReads['recalled'];
  /** What of it is in the context and was not written by the person, the newest first; absent = no question quotes any. */
  foreign?: () => SourcedText<TextSource>[];
  /** What the person wrote in the session. */
  own?: () => string[];
  /** Absent = there are none. */
  skills?: ReadSkills;
}

/** Skills that the session has read, and instructions that it has not. */
interface ReadSkills {
  /** Real paths of folders whose files it may read. */
  folders(): readonly string[];
  /** The skill that lists other tools than this one; null = none does. */
  narrowedBy(call: { tool: string; command: string | null }): string | null;
  /** Instructions that lie nearest to that file of the folder (its real path), told once; null = none that are news. */
  instructionsNear(file: string): Promise<string | null>;
}

export interface AskedHost {
  /** As a question names it. */
  name: string;
  isPrivate: boolean;
}

export interface EditableCall extends Editable {
  /** The same call with this text, refused as a model's would be: throws `invalid_params` with what is in the way. */
  withText(text: string): Promise<EditedCall>;
}

/**
 * `reply`: what the person said as they declined it. `only_planned`: nobody was asked, as the session only plans.
 * `timed_out`: nobody answered in time.
 */
export type ApprovalVerdict =
  ApprovalDecision | 'only_planned' | 'timed_out' | EditedCall | { reply: string };

/** A call as the person wrote it anew, and allowed it. */
export interface EditedCall extends Editable {
  args: Record<string, unknown>;
  call: PreparedCall;
}

/** A profile, and the model that was leased for it. */
export interface Granted {
  active: ActiveProfile;
  lease: Lease;
  /** What the template of the leased model makes worth sending. */
  policy: TemplatePolicy;
}

/** What a request is made with: fixed until the person switches the profile. `active`: with the head as it is sent. */
export interface Setting extends Granted {
  /** The head of the profile. */
  whole: PromptHead;
  /** The model works step by step under a grammar. */
  isGuided: boolean;
  /** It says what it is about to do before it does it; only where it is guided. */
  opensTurns: boolean;
  /** It is led to tools of other programs and to the web, which its profile has; only where it is guided. */
  mayUse: boolean;
  /** Tools of servers among them. */
  mayFind: boolean;
  /** A subagent has needed the GPU for another model: the lease has ended, and is taken anew before the next request. */
  away?: true;
}

/** Andiron's own account of what the engine's cache holds: each request is an entry of it. */
export interface CacheTracker {
  /** Before the first request to a model: what kind of memory it has. Asks once; never rejects. */
  know(lease: Pick<Lease, 'url' | 'model'>, signal: AbortSignal): Promise<void>;
  /** @param purpose `side` = asked on the prefix and no part of the log; `warm` = raw, up to where the next user text begins. */
  sent(model: ModelInfo, request: TrackedRequest, purpose: 'main' | 'side' | 'warm'): OpenEntry;
}

/** What of a request decides what is read. */
export interface TrackedRequest extends Pick<
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
  /** Pictures of a result, kept with the session from now on; one that cannot be kept is left out. Absent = none is kept. */
  keep?(pictures: readonly ResultPicture[]): Promise<AttachedFile[]>;
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

export interface TurnInput {
  sessionId: string;
  turnId: string;
  /** The person's choice; another one stands in for a profile that is gone. */
  profileId: string;
  message: PersonMessage;
  /** What came with it; absent = nothing. */
  attachments?: readonly Attachment[];
  /** The prompt of a server that it began as; absent = the person wrote it. */
  from?: PromptOrigin;
  /** A plan may come first: only where somebody watches (A1, A2). */
  mayPlan: boolean;
  /** What the person said that this message asks for, whatever its opening says; absent = nothing. */
  allow?: readonly TurnPermission[];
  /** What the person is shown of the message; absent = all of it. */
  shown?: string;
  /** The session only plans: nothing is changed or run, and a plan is what comes out. */
  plansOnly?: boolean;
  /** The person approved them, and the message is to carry them out; absent = none. */
  steps?: readonly PlanStep[] | undefined;
}
