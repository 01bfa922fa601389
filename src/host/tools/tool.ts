/**
 * The contract of a tool. The loop sees only `Tool`; `defineTool` owns what all tools share:
 * parsing, the output cap, the timeout and turning errors into results that tell the model what to do next.
 */
import type { ActionWords } from './action-words.ts';
import { advised, inWords, type Advise, type Words } from './advice.ts';
import type { z } from 'zod';
import type { ServerOrigin } from '../../protocol/attachments.ts';
import type { UndoCoverage } from '../../protocol/changed-files.ts';
import type { FormQuestion, FormValues } from '../../protocol/form-question.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
import type { FarEffect } from '../../rules/approval.ts';
import type { Touched } from '../../rules/grants.ts';
import type { AgentStopReason, Editable, Risk, Todo, ToolDisplay } from '../../protocol/model.ts';

/** What an execution may use. Supplied per call; permission is enforced when the tool executes. */
export interface ToolContext {
  /** Real path of the workspace, fixed at session start. */
  workspace: string;
  /**
   * Outside of it, by their real paths: files that may be read, which people attached to this session (C2), and folders with
   * all that is in them, of skills that it has loaded.
   */
  attached?: readonly string[];
  callId: string;
  sessionId: string;
  /** What was judged before the call was allowed; a tool opens nothing else. Absent or null = no file. */
  allowed?: Touched | null;
  /** Fires on Stop and on timeout: end at once, awaited by the caller. */
  signal: AbortSignal;
  /** Fires when the person ends this call alone: what it did so far is its result, and the turn goes on. */
  ended?: AbortSignal;
  /** Live output for the card (text, colours and \r). */
  output: (text: string) => void;
  /** Who is asked before it runs, and while it does. Absent = nobody. */
  person?: AskedPerson;
  /** Todo list and notepad of the session, also for its subagents (P2, A8). */
  data: SessionData;
  /** null = a subagent: it spawns none. */
  agents: AgentSpawner | null;
  profiles: ProfileChoice;
}

interface AskedPerson {
  /** Whether they let it reach a host; they are asked where that is needed. */
  reach?: Reach;
  /** They fill in what another program wants to know. */
  askForm?: AskForm;
  /** What they were last told that undo covers of the folder; absent = that was not looked at. */
  promised?: UndoCoverage;
}

export interface ForeignReads {
  /** Of those that the model has read, in words; null = none. */
  taint: () => string | null;
  /** The model is about to read what memory was taught by such texts. */
  recalled: (lines: readonly string[]) => void;
}

/** Never rejects: a question that its call or `signal` ended, or that nobody answered in time, is cancelled. */
export type AskForm = (question: FormQuestion, signal: AbortSignal) => Promise<FormAnswer>;
export type FormAnswer =
  /** Without values for an address. */
  { action: 'accept'; values?: FormValues } | { action: 'decline' | 'cancel' };

/** Rejects when the call ends before the answer. */
export type Reach = (wanted: { host: string; port: number; isPrivate: boolean }) => Promise<HostVerdict>;
/** `reply`: what the person said as they declined it. */
export interface HostVerdict {
  isAllowed: boolean;
  reply?: string;
}

/** What a plan fills and steps tick. */
export interface SessionData {
  /** The subagent that works with it; absent = the session's own turn does. */
  agentId?: string;
  /** In which sources are numbered; absent = it is part of none. */
  turnId?: string;
  todo(): Todo;
  /** Stored and shown before it returns. */
  setTodo(todo: Todo): void;
  /** A step is done only with words that prove it, by the profile in force (E6). */
  mustValidate(): boolean;
  readScratchpad(): Record<string, string>;
  writeScratchpad(sections: Record<string, string>): void;
  /** Texts that the person did not write; absent = nobody looks whether there are any. */
  foreign?: ForeignReads;
}

export interface SpawnRequest {
  /** Goal, success criteria, form of the result. */
  task: string;
  /** Facts that it needs: paths, constraints, what is known. */
  briefing: string;
  /** undefined = the session's profile now (A5). */
  profileId: string | undefined;
  /** undefined = the profile's limit. */
  maxIterations: number | undefined;
}

/** What a subagent brought back (A4, P3). */
export type SpawnResult = { text: string } & (
  | { completedNormally: true }
  | { completedNormally: false; stopReason: Exclude<AgentStopReason, 'completed'> }
);

export interface AgentSpawner {
  /** Resolves for every end of the subagent; rejects when the signal fires. Its events go to the card of `callId`. */
  spawn(request: SpawnRequest, callId: string, signal: AbortSignal): Promise<SpawnResult>;
}

export interface ProfileChoice {
  /** `maySend`: one of its models may be on another host. */
  list(): { id: string; name: string; description: string; current: boolean; maySend?: boolean }[];
  /** In force from the next iteration on (F10). Throws ToolFailure for one that does not exist. */
  switchTo(profileId: string): void;
}

/** `server.tool`, with those of its arguments that a grammar can write. */
export type LoadedTool = Pick<Tool, 'name' | 'schema' | 'mutates'>;

/** A file that a tool brings out for the person, or for a program: in the folder by its path, elsewhere by its address. */
export type BroughtFile = Pick<ResultFile, 'name' | 'path' | 'url' | 'bytes' | 'mime'>;

/** Told by its bytes, whatever the tool says of it. */
export interface ResultPicture {
  name: string;
  bytes: Uint8Array;
  /** The server that it came from. */
  from: ServerOrigin;
}

/** Its words are for the model, `display` is for the card. */
export interface ToolResult extends Words {
  ok: boolean;
  display: ToolDisplay | null;
  /** All of it, for the person alone, where `content` is cut; the tool's own limit is its only one. */
  whole?: string | undefined;
  /** It was ended because it took too long, and would take as long once more. */
  timedOut?: true;
  /** It broke (P7), as opposed to an answer of the tool. */
  threw?: true;
  /** What the sandbox kept from it, in words for the person; it failed. */
  refused?: string | undefined;
  /** What of it is to be looked at, also where it failed. */
  pictures?: readonly ResultPicture[] | undefined;
  /** Brought out; counted only where it is `ok`. */
  files?: readonly BroughtFile[];
  /** Tools of other programs that it found: `tool_call` runs them, and a grammar may offer them by their own names. */
  loads?: readonly LoadedTool[];
  /** What the words were made from, where that has a structure; files in it are brought out too. */
  value?: unknown;
}

/** What the person is asked. Whether they are is for the profile's policy and the grants to decide. */
export interface ApprovalNeed {
  risk: Risk;
  summary: string;
  mutates: string;
  sandboxed: boolean;
  /** It asks for each host that it wants to reach, while it runs; absent = it reaches none. */
  asksForHosts?: true;
  /** Why it would not be, in words for the person; where the question arises. */
  whyNotSandboxed?: string | undefined;
  scopes: ('once' | 'session')[];
  /** What it does beyond the session's folder, where its risk and the file that it opens do not tell that. */
  farEffect?: FarEffect | undefined;
  /** The argument that is the call, in text: the person may write it anew. Left out = they can only say yes or no. */
  editable?: Editable;
}

/** A call after the repair that its schema allows; `parse` never guesses required arguments. */
export type ParsedCall =
  | { ok: true; call: PreparedCall }
  /** `bare`: the error without its advice, as in a result. */
  | { ok: false; error: string; bare?: string | undefined };

/** `result` of a refused call is what the model reads; null as display = nothing to show beforehand. */
type ToolCheck = ({ ok: true } & Checked) | { ok: false; result: ToolResult };

export interface Checked {
  display: ToolDisplay | null;
  /** The file or folder that the call opens; null = none. */
  touched: Touched | null;
  /** What it would do beyond the folder, where only this call tells that. */
  farEffect?: FarEffect | undefined;
  /** What of the folder could be taken back; asked only where the person is. */
  undo?: (() => Promise<UndoCoverage>) | undefined;
}

export interface PreparedCall {
  /** Path, pattern or command for the card's head line. */
  subject: string;
  /** What was repaired, in words for the card; empty when the call fitted its schema. The context keeps the call as it was. */
  repairs: string[];
  need: ApprovalNeed;
  /**
   * Before anybody is asked: refuses what cannot work (missing file, path outside the workspace, text that is not
   * there), else shows what would happen (the diff of an edit). Never changes anything; `execute` checks again.
   */
  check(context: ToolContext): Promise<ToolCheck>;
  /** Resolves for every failure of the tool; rejects only for bugs. */
  execute(context: ToolContext): Promise<ToolResult>;
  /** The same call outside the sandbox, once that refused it something and the person says so. */
  outside?: PreparedCall;
}

/**
 * What a tool is about. `workspace`: it looks into the session's folder, or works there. `agent`: what Andiron keeps for
 * the agent itself. `outside`: anything else.
 */
type ToolSubject = 'workspace' | 'agent' | 'outside';

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema as sent to the engine: only the keywords it keeps. */
  schema: ToolSchema;
  /** Whether a failed call may be repeated without harm (P6). */
  retrySafe: boolean;
  mutates: boolean;
  risk: Risk;
  about: ToolSubject;
  /** Whether it can be used now: a head is made without it while it cannot; absent = always. */
  isOffered?: () => boolean;
  /** The tool whose results its calls are made of: behind such a call in the same reply it is not run. */
  needsResultOf?: string;
  parse(args: unknown): ParsedCall;
}

/** Only keywords that survive Ollama's decoder, in a fixed order. */
export interface ToolSchema {
  type: 'object';
  properties: Record<string, PropertySchema>;
  required: string[];
}
export interface PropertySchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string | undefined;
  enum?: string[] | undefined;
  /** Of an array. */
  items?: PropertySchema | undefined;
  /** Of an object; absent = any. */
  properties?: Record<string, PropertySchema> | undefined;
  required?: string[] | undefined;
}

export interface ToolDefinition<P extends z.ZodObject> extends Omit<Tool, 'schema' | 'parse' | 'risk'> {
  parameters: P;
  /** What small models say instead of the names in `parameters`. */
  otherWords?: ActionWords;
  /** Of its plainest call. */
  risk: Risk;
  /** null = it bounds itself, and always ends after its signal. */
  timeoutMs: number | null;
  subject: (args: z.output<P>) => string;
  /** `risk`: where this very call is riskier than the tool. */
  need: (args: z.output<P>) => Omit<ApprovalNeed, 'risk'> & { risk?: Risk };
  /** Throws ToolFailure for what cannot work; left out = nothing can be told beforehand, and no file is opened. */
  check?: (args: z.output<P>, context: ToolContext) => Promise<Partial<Checked>>;
  /** Throws ToolFailure for what the model should read; any other throw is reported as a tool error (P7). */
  execute: (args: z.output<P>, context: ToolContext) => Promise<ToolResult>;
  /** How it runs outside the sandbox; left out = it never does, or always. */
  outside?: Pick<ToolDefinition<P>, 'need' | 'execute'> | undefined;
}

/** Of a search for tools that ran and found none: the loop leads a model on by it. */
export const noToolFits = 'No tool fits these words.';

/** A failure in words for the model: what happened (`message`) and what to do next (`advice`). */
export class ToolFailure extends Error {
  readonly advice: string | undefined;
  /** The same may succeed at another time, though nothing was changed. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    {
      advice,
      isPassing,
      ...options
    }: ErrorOptions & { advice?: string | undefined; isPassing?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'ToolFailure';
    this.advice = advice;
    this.isPassing = isPassing ?? false;
  }

  get words(): Words {
    return inWords(this.message, this.advice);
  }
}

/** How a result of `read_file` begins that holds a whole file: a command may print such a line too. */
export const wholeFile = /^lines 1-(\d+) of \1\n/;

/** The model reads at most this much of one result (R); what is cut is marked (S). */
export const resultCap = 8000;
/** H6: what a call that Stop reached has as its result, and a run that it ended as its text. */
export const cancelledResult = 'operation cancelled by user';
export const truncationMark = '\n... [truncated]';

/**
 * As many of the lines as a result holds together with the remark below them, which says what to do about the others:
 * cut in the middle, a result would lose just that. `remark` is given how many are shown.
 */
export function fitLines(lines: readonly string[], remark: (shown: number) => readonly string[]): string {
  let shown = lines.length;
  const result = (): string => [...lines.slice(0, shown), ...remark(shown)].join('\n');
  while (shown > 0 && result().length > resultCap) shown -= 1;
  return result();
}

export type FittedText = Words & Pick<ToolResult, 'whole'>;

/** The same with all of the lines beside it, where they do not fit. `all`: lines that are not even tried to fit. */
export function fitWithWhole(
  lines: readonly string[],
  remark: (shown: number, advise: Advise) => readonly string[],
  all: readonly string[] = lines,
): FittedText {
  const words = advised((advise) => fitLines(lines, (shown) => remark(shown, advise)));
  const whole = all.join('\n');
  return whole.length > words.content.length ? { ...words, whole } : words;
}
