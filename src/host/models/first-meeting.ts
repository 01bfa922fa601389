/**
 * The first meeting with a model: a few questions on the head that its sessions begin with, so that its first step is
 * asked for in a way that it is good at. What a turn has no time for is asked when nobody needs the GPU. No call is run.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { Ability } from '../../protocol/abilities.ts';
import type { EngineState, ModelInfo, RequestUsage } from '../../protocol/model.ts';
import type { ActiveProfile, Granted, Lease, LeaseRequest } from '../loop/deps.ts';
import { isGuided } from '../loop/calls/call-mode.ts';
import { offeredTools } from '../loop/offered.ts';
import { askMeetingQuestion } from './ask-meeting.ts';
import { minThinking } from './exam/exam.ts';
import { isInFolder, questions, questionsOutside, type Question } from './exam/exam-questions.ts';
import { examRun, type ExamEars, type ExamParts } from './exam/exam-run.ts';
import { shareGpu, type GpuShare } from './exam/gpu-share.ts';
import {
  meetingQuestions,
  openingQuestions,
  pickQuestions,
  type MeetingQuestion,
} from './meeting-questions.ts';
import type { ModelAbilities } from './model-abilities.ts';

/** A person waits for a turn meanwhile. */
const maxMeetingMs = 10_000;
/** The engine has loaded its model by then. Another host may have to load it, and to read all tools, before it says a word. */
const maxFirstWordMs = 120_000;
/** A reply of a few dozen tokens is over by then; closing it earlier could cost the model its slot. */
const gracePeriodMs = 3_000;
/** What else is asked of a model changes nothing of how its first turn works. */
const decidesFirstTurn: ReadonlySet<Ability> = new Set(['native', 'opens', 'picks']);
const ofLedTurns: ReadonlySet<Ability> = new Set(['opens', 'picks']);
/** After the last turn: the person may send the next message at once. */
const idleMs = 5_000;

export interface FirstMeetingsDeps extends ExamParts {
  abilities: Pick<
    ModelAbilities,
    'holds' | 'mayTry' | 'isTold' | 'observe' | 'restart' | 'wasAsked' | 'noteAsked'
  >;
  gpu: {
    /** undefined = not connected. */
    state(): EngineState | undefined;
    onState(listener: () => void): void;
    /** Behind every turn. */
    acquireToWarm(request: LeaseRequest, signal: AbortSignal): Promise<Lease>;
  };
  /** The model of that name costs nothing but time: it may be asked before a person asks it anything. */
  mayBeMet(model: string): boolean;
  /** The counters of a request, for whoever learns from them. */
  onUsage(usage: RequestUsage): void;
  /** It wants the GPU before whatever only prepares. */
  onBegin(): void;
  /** The engine now holds what was asked here. */
  onEnd(): void;
  log: Log;
}

interface MeetingTime {
  signal: AbortSignal;
  /** A person waits for what comes behind the questions. */
  isAwaited?: boolean;
  /** The next question begins; absent = nothing depends on it. */
  begin?: () => void;
  /** Words come. */
  writing: () => void;
}

interface Asked extends Granted {
  questions: readonly MeetingQuestion[];
}

export class FirstMeetings {
  readonly #deps: FirstMeetingsDeps;
  /** What is left to ask, by the digest of the model. */
  readonly #left = new Map<string, ActiveProfile>();
  readonly #closing = new AbortController();
  /** Models of hosts that said nothing in time, until Andiron starts again: each session would begin with that wait. */
  readonly #silent = new Set<string>();
  #share: GpuShare | undefined;
  #timer: Timer | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: FirstMeetingsDeps) {
    this.#deps = deps;
    deps.gpu.onState(() => this.#share?.look());
  }

  /**
   * Asks as much as fits into its time, on the lease of a turn that has said nothing yet. `onBegin` is called before the
   * first question, and never for a model that is known. Rejects only with the signal's reason.
   */
  async meet(granted: Granted, onBegin: () => void, signal: AbortSignal): Promise<void> {
    const open = this.#questionsFor(granted);
    if (open.length === 0) return;
    onBegin();
    const { model } = granted.lease;
    this.#keepForLater(model, granted.active);
    const firstMs = isOnOtherHost(model) ? maxFirstWordMs : maxMeetingMs;
    const limit = timeLimit(this.#deps.clock, firstMs, signal);
    try {
      await this.#askAll({ ...granted, questions: open }, limit);
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.signal.aborted) this.#report(error, model);
      else if (isOnOtherHost(model) && !limit.hasBegun) this.#silent.add(model.name);
    } finally {
      limit.end();
    }
  }

  /** For a turn that has no time for it: the model is met when the GPU is idle. */
  meetLater({ active, lease, policy }: Granted): void {
    if (this.#questionsFor({ active, lease, policy }).length > 0) this.#keepForLater(lease.model, active);
  }

  /** When another host is idle nobody knows: its models are asked as their next session begins. */
  #keepForLater(model: ModelInfo, active: ActiveProfile): void {
    if (!isOnOtherHost(model)) this.#left.set(model.digest, { ...active, pinnedModel: model.name });
  }

  /** So many turns run now. */
  turns(count: number): void {
    this.#timer?.cancel();
    if (count === 0 && this.#left.size > 0 && !this.#closing.signal.aborted)
      this.#timer = this.#deps.clock.after(idleMs, () => this.#continueWhenIdle());
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#closing.abort(new AndironError('cancelled', 'Andiron closes.'));
    await this.#work;
  }

  #continueWhenIdle(): void {
    if (this.#share) return;
    const loaded = new Set(this.#deps.gpu.state()?.loaded.map(({ name }) => name));
    // Nobody waits for this: no model is loaded for it.
    const next = [...this.#left].find(
      ([, { pinnedModel }]) => pinnedModel !== null && loaded.has(pinnedModel),
    );
    if (!next) return;
    const [digest, active] = next;
    const name = active.pinnedModel ?? '';
    const { signal } = this.#closing;
    const request = {
      model: name,
      contextTokens: active.profile.contextTokens,
      label: `Checking how ${name} calls tools`,
    };
    const share = shareGpu({
      acquire: (aborted) => this.#deps.gpu.acquireToWarm(request, aborted),
      turnWaits: () => this.#deps.gpu.state()?.queue.some(({ purpose }) => purpose === 'turn') ?? false,
      signal,
      clock: this.#deps.clock,
    });
    this.#share = share;
    this.#deps.onBegin();
    this.#work = this.#askIdly(active, share)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#report(error, { name });
      })
      .finally(() => {
        share.close(false);
        this.#share = undefined;
        this.#left.delete(digest);
        this.#deps.onEnd();
      });
  }

  /** One question after the other; a turn that comes goes first, and its question is asked again behind it. */
  async #askIdly(active: ActiveProfile, share: GpuShare): Promise<void> {
    for (let isLeft = true; isLeft;) {
      isLeft = await share.ask(async (lease, turn) => {
        const policy = await this.#deps.templates.policyOf(lease, turn.signal);
        const granted: Granted = { active, lease, policy };
        const [first] = this.#questionsFor(granted);
        if (first) await this.#askAll({ ...granted, questions: [first] }, turn);
        return first !== undefined;
      });
    }
  }

  #questionsFor({ active, lease, policy }: Granted): MeetingQuestion[] {
    const { model } = lease;
    const { abilities, tools } = this.#deps;
    const { calls } = active.profile;
    // A profile that wants native calls leaves nothing open.
    if (!this.#deps.mayBeMet(model.name) || this.#silent.has(model.name) || calls === 'native') return [];
    const offered = offeredTools(active.head, tools);
    if (offered.length === 0) return [];
    const mayCallNatively = !policy.toolsInSystem && (model.capabilities?.includes('tools') ?? true);
    const all =
      calls === 'auto'
        ? meetingQuestions(offered, mayCallNatively)
        : [...openingQuestions, ...pickQuestions(offered)];
    const left = all.filter(({ text }) => !abilities.wasAsked(model, text));
    const isOpen = (question: MeetingQuestion): boolean => this.#isOpen(question, { active, lease, policy });
    // What it says to these decides whether it is led, and so whether the others are asked.
    const isUndecided = left.some((question) => question.ability === 'native' && isOpen(question));
    return left.filter((question) => isOpen(question) || (isUndecided && ofLedTurns.has(question.ability)));
  }

  /** Its answer may still decide something. */
  #isOpen({ ability, text }: MeetingQuestion, { active, lease: { model }, policy }: Granted): boolean {
    const { abilities } = this.#deps;
    if (ability === 'picks') {
      const opens = isGuided(active, model, policy, abilities) && abilities.mayTry(model, 'opens');
      return opens && !abilities.isTold(model, ability);
    }
    if (ability === 'native' && isInFolder(text) && this.#isMetOutside(model)) return true;
    if (ability !== 'opens') return !abilities.isTold(model, ability);
    // A model that always begins in the same way is right in some of them, so all are asked.
    if (abilities.isTold(model, ability, openingQuestions.length)) return false;
    return isGuided(active, model, policy, abilities);
  }

  /** A model that looks up nothing by itself may still call tools for a folder well, and was not asked for one. */
  #isMetOutside(model: ModelInfo): boolean {
    if (this.#deps.abilities.holds(model, 'native')) return false;
    const wasAsked = ({ text }: Question): boolean => this.#deps.abilities.wasAsked(model, text);
    return questionsOutside.some(wasAsked) && !questions.some(wasAsked);
  }

  async #askAll({ questions: asked, active: usual, lease, policy }: Asked, turn: MeetingTime): Promise<void> {
    const { model } = lease;
    const { abilities } = this.#deps;
    // How a model of another host can think it does not say.
    const active = { ...usual, think: usual.think ?? (isOnOtherHost(model) ? false : minThinking(model)) };
    for (const question of asked) {
      turn.begin?.();
      const { signal } = turn;
      signal.throwIfAborted();
      // What a model has answered before may have told enough of the ability.
      if (!this.#isOpen(question, { active, lease, policy })) continue;
      // The engine holds what the turn of a guided model begins with; another head would cost it that.
      const canWait = turn.isAwaited === true && !decidesFirstTurn.has(question.ability);
      const isLed = isGuided(active, model, policy, abilities) && abilities.holds(model, 'opens');
      if (canWait && isLed) break;
      const { text, made, way } = question;
      const mode = way === 'native' ? 'native' : 'constrained';
      const ears: ExamEars = { usage: (usage) => this.#deps.onUsage(usage), writing: turn.writing };
      const inTurn = {
        active,
        lease,
        policy,
        mode,
        text,
        made,
        opensTurns: way === 'opening' || way === 'about',
        signal,
      } as const;
      const run = examRun(inTurn, this.#deps, ears);
      const seen = await askMeetingQuestion(question, run, signal);
      if (question.ability === 'native' && this.#isMetOutside(model) && isInFolder(text))
        abilities.restart(model, 'native');
      abilities.noteAsked(model, text);
      for (const { ability, isGood } of seen) abilities.observe(model, ability, isGood);
    }
  }

  #report(error: unknown, { name }: Pick<ModelInfo, 'name'>): void {
    const isEngines = error instanceof AndironError && enginesFault.has(error.code);
    if (!isEngines) this.#deps.onInternalError(error);
    else
      this.#deps.log.warn('A model could not be asked how it calls tools', {
        model: name,
        error: error.message,
      });
  }
}

/** Its models have no digest of their own. */
const isOnOtherHost = ({ name, digest }: ModelInfo): boolean => name === digest;

/** The turn that follows meets them too, and tells the person. */
const enginesFault: ReadonlySet<ErrorCode> = new Set([
  'engine_unavailable',
  'engine_refused',
  'stream_cut',
  'stream_broken',
  'stream_first_token_timeout',
  'model_missing',
  'busy',
]);

interface TimeLimit extends MeetingTime {
  /** Words have come. */
  readonly hasBegun: boolean;
  end: () => void;
}

/** Fires when the time is over, somewhat later while words come, and with the signal. Its time begins with the first word. */
function timeLimit(clock: Clock, firstMs: number, signal: AbortSignal): TimeLimit {
  const over = new AbortController();
  let isWriting = false;
  let hasBegun = false;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    if (!isWriting) over.abort();
    else timer = clock.after(gracePeriodMs, () => over.abort());
  };
  let timer = clock.after(firstMs, end);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    get hasBegun() {
      return hasBegun;
    },
    isAwaited: true,
    begin() {
      isWriting = false;
      if (isOver) over.abort();
    },
    writing() {
      isWriting = true;
      if (!hasBegun && firstMs > maxMeetingMs && !isOver) {
        timer.cancel();
        timer = clock.after(maxMeetingMs, end);
      }
      hasBegun = true;
    },
    end: () => timer.cancel(),
  };
}
