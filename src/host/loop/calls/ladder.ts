/**
 * The repair ladder as one decision: what was asked for, what came, what went wrong before → what to do next.
 * Its order: run what is right → take a call out of the text → return the error and the schema as the call's result → ask
 * with a grammar for this step → show the person what was tried. Replies with nothing in them are asked for again on the
 * same prompt with another seed; what comes twice in the same words is asked for in another way, or behind a line that says
 * what is wrong with it.
 */
import type { ConstrainedReply } from './constrained-reader.ts';
import type { TextCall, TextCalls } from './text-calls.ts';

export type CallMode = 'native' | 'constrained';

/** Which rung it was; for counting what saved how many. */
type Rung = 'none' | 'arguments' | 'text' | 'explained' | 'seed' | 'grammar_step' | 'person';

/**
 * What is different about the next request: chance alone, a grammar in place of none, the next way to call, an answer in place
 * of a call, the last way, or the prompt, which then holds the reply and what is wrong with it.
 */
export type Change = 'seed' | 'grammar' | 'next_way' | 'answer' | 'text' | 'words';

/** What came. Of a constrained reply the caller has taken the answer out (`text`) or the call (`calls`). */
export interface LadderReply {
  asked: CallMode;
  /** `repeated`: it ran in circles and was cut; what stood before is here. `circle`: nothing stood before. */
  ended: 'stop' | 'length' | 'repeated' | 'circle';
  text: string;
  thinking: string;
  /** In order. `fault`: what its tool says to the model about it; null = it may run. `repairs`: what was mended. */
  calls: readonly { name: string; fault: string | null; repairs: readonly string[] }[];
  inText: TextCalls;
  /** Why a constrained reply is neither call nor answer; its raw text is then `text`. */
  broken: Extract<ConstrainedReply, { type: 'broken' }>['why'] | null;
  /** Tokens that the engine counted and did not pass on: a lost call. */
  missingTokens: number | null;
}

/** What is known of the model. */
export interface LadderModel {
  /** How it is asked for a call first. */
  mode: CallMode;
  /** A grammar may be asked for: there are tools, and it was not refused in its smallest form. */
  mayConstrain: boolean;
  /** It makes structured calls, so an answer without a call is one. */
  provenNative: boolean;
}

/** Since the last reply that was right. */
export interface LadderStep {
  reasks: number;
  /** Of those, calls under a grammar that ran in circles. */
  circles: number;
  /** The same words as the reply before, which was of no use either. */
  sameReply: boolean;
  /** What is wrong with a reply that is no call was said to the model. */
  wasCorrected: boolean;
  /** Replies whose calls were all answered with an error and their schema. */
  explained: number;
  /** *must*: the task speaks of the workspace and nothing was called in this turn. */
  mustCall: boolean;
  /** The reply names an offered tool in its text. */
  mentionsTool: boolean;
}

export type NextAction =
  | { do: 'answer' }
  /** The structured calls, in order; one with a fault gets its fault as its result. */
  | { do: 'run'; receipts: string[]; rung: Rung }
  /** Calls that stood in the text. The log keeps the text as it was. */
  | {
      do: 'run_text';
      calls: TextCall[];
      dropped: number;
      prose: string;
      receipts: string[];
      rung: Rung;
    }
  /** No call may run: each one's result is its fault. */
  | { do: 'explain'; rung: Rung }
  /** `why`: one sentence for the person. */
  | { do: 'ask_again'; by: Change; mode: CallMode; why: string; rung: Rung }
  /** Its output limit cut the reply: calls are refused with that as their result, an answer is marked. */
  | { do: 'cut' }
  | { do: 'give_up'; message: string; tried: string; rung: Rung };

/** One step is asked again at most this often for replies that are of no use, and once more as text after a grammar. */
export const maxReasks = 3;
/** So many empty replies are answered with another seed alone. */
const emptyBeforeGrammar = 2;
/** A step whose replies were of no use so many times takes what it gets, if it is nothing but a circle. */
const circlesBeforeAnswer = 2;
/** The same of a call that has to be made. */
const circlesBeforeNoCall = 1;
const maxTriedChars = 1_000;

const grammarReceipt = 'asked again with a grammar';
const inCircles = 'The reply ran in circles.';
const seedReceipt = 'asked again with another seed';

export function nextAction(reply: LadderReply, model: LadderModel, step: LadderStep): NextAction {
  const again = (why: string, grammar: boolean): NextAction => anotherTry(why, grammar, reply, model, step);

  if (reply.calls.length > 0)
    return reply.ended === 'length' ? { do: 'cut' } : structured(reply, model, step, again);
  if (reply.broken !== null) return broken(reply, model, step, again);
  if (isEmpty(reply)) {
    const why =
      reply.thinking.trim() === '' ? 'The answer was empty.' : 'The model only thought, and said nothing.';
    return lost(reply, again) ?? again(why, step.reasks >= emptyBeforeGrammar);
  }
  if (reply.asked === 'constrained') return answered(reply, step, again);
  return written(reply, model, step, again);
}

type Again = (why: string, grammar: boolean) => NextAction;

function structured(reply: LadderReply, model: LadderModel, step: LadderStep, again: Again): NextAction {
  const faults = reply.calls.flatMap(({ fault }) => fault ?? []);
  if (faults.length < reply.calls.length) {
    const mended = reply.calls.some(({ repairs }) => repairs.length > 0);
    return { do: 'run', receipts: receiptsOf(reply, model, step), rung: rungOf(reply, model, step, mended) };
  }
  // Once the model has read what is wrong and does it again, words do not help.
  if (step.explained === 0 || (!mayConstrain(reply, model) && reply.asked === 'native')) {
    return step.explained > maxReasks ? giveUp(reply, step) : { do: 'explain', rung: 'explained' };
  }
  return again('The model repeated a call that its tool cannot read.', true);
}

function broken(reply: LadderReply, model: LadderModel, step: LadderStep, again: Again): NextAction {
  if (reply.broken === 'form') {
    // An engine that ignores the grammar leaves the model to write as it likes.
    const { calls, attempts } = reply.inText;
    if (calls.length > 0) return runText(reply, model, step);
    if (attempts.length === 0 && !step.mustCall && !/^\s*[[{]/.test(reply.text))
      return answered(reply, step, again);
    return again('The reply was not in the form that was asked for.', false);
  }
  const whys = {
    empty: 'The answer was empty.',
    cut: 'The reply was cut in the middle.',
    too_long: 'The reply did not end.',
  };
  const why = hasCircled(reply) ? inCircles : whys[reply.broken ?? 'cut'];
  // The model has nothing that this call could be made with.
  if (isCirclingCall(reply) && step.mustCall && step.circles >= circlesBeforeNoCall)
    return {
      do: 'ask_again',
      by: 'answer',
      mode: 'constrained',
      why: `${why} Asked for an answer in its place.`,
      rung: 'grammar_step',
    };
  return again(why, false);
}

const hasCircled = ({ ended }: LadderReply): boolean => ended === 'repeated' || ended === 'circle';

/** It was begun in form. */
export const isCirclingCall = (reply: LadderReply): boolean => reply.broken === 'cut' && hasCircled(reply);

/** A native reply of text alone. */
function written(reply: LadderReply, model: LadderModel, step: LadderStep, again: Again): NextAction {
  const { calls, attempts } = reply.inText;
  if (reply.ended === 'length') {
    return calls.length > 0 ? again('The reply was cut in the middle of a call.', true) : { do: 'cut' };
  }
  if (calls.length > 0) return runText(reply, model, step);
  const [attempt] = attempts;
  if (attempt) return again(`The model wrote a call as text that could not be run: ${attempt.words}.`, true);
  const missing = lost(reply, again);
  if (missing) return missing;
  // A model that is not known to make calls most likely cannot; one that is has decided to answer.
  const silent = !model.provenNative && (step.mustCall || step.mentionsTool);
  if (silent && mayConstrain(reply, model)) return again('The model answered without looking.', true);
  return answered(reply, step, again);
}

/** One sentence over and over may be the answer all the same: it is asked for again, and then taken. */
function answered({ ended }: LadderReply, { reasks }: LadderStep, again: Again): NextAction {
  if (ended === 'circle' && reasks < circlesBeforeAnswer) return again(inCircles, false);
  return ended === 'stop' ? { do: 'answer' } : { do: 'cut' };
}

function lost({ missingTokens }: LadderReply, again: Again): NextAction | null {
  if (missingTokens === null) return null;
  return again(
    `The model wrote about ${missingTokens.toLocaleString('en')} tokens that Ollama did not pass on, most likely a call.`,
    true,
  );
}

const isEmpty = ({ text }: LadderReply): boolean => text.trim() === '';

const mayConstrain = ({ asked }: LadderReply, model: LadderModel): boolean =>
  asked === 'native' && model.mayConstrain;

function anotherTry(
  why: string,
  grammar: boolean,
  reply: LadderReply,
  model: LadderModel,
  step: LadderStep,
): NextAction {
  if (step.reasks >= maxReasks) {
    // Whoever makes native calls was asked without a grammar before.
    if (reply.asked !== 'constrained' || model.mode === 'native') return giveUp(reply, step);
    const asText = `${why} Asked again without a grammar.`;
    return { do: 'ask_again', by: 'text', mode: 'native', why: asText, rung: 'text' };
  }
  if (!(grammar || step.sameReply) || !mayConstrain(reply, model)) {
    if (step.sameReply && reply.asked === 'native' && !step.wasCorrected && !isEmpty(reply))
      return {
        do: 'ask_again',
        by: 'words',
        mode: 'native',
        why: `${why} Asked again with that said.`,
        rung: 'explained',
      };
    const isLooser = step.sameReply && reply.asked === 'constrained';
    return {
      do: 'ask_again',
      by: isLooser ? 'next_way' : 'seed',
      mode: reply.asked,
      why: `${why} Asked again${isLooser ? ' in another way' : ''}.`,
      rung: 'seed',
    };
  }
  return {
    do: 'ask_again',
    by: 'grammar',
    mode: 'constrained',
    why: `${why} Asked again with a grammar.`,
    rung: 'grammar_step',
  };
}

function runText(reply: LadderReply, model: LadderModel, step: LadderStep): NextAction {
  const { calls, dropped, prose } = reply.inText;
  return { do: 'run_text', calls, dropped, prose, receipts: receiptsOf(reply, model, step), rung: 'text' };
}

/** What happened before, for the card; what was mended in a call stands with the call itself. */
function receiptsOf(reply: LadderReply, model: LadderModel, step: LadderStep): string[] {
  if (reply.asked === 'constrained' && model.mode === 'native') return [grammarReceipt];
  return step.reasks > 0 ? [seedReceipt] : [];
}

function rungOf(reply: LadderReply, model: LadderModel, step: LadderStep, mended: boolean): Rung {
  if (reply.asked === 'constrained' && model.mode === 'native') return 'grammar_step';
  if (step.reasks > 0) return 'seed';
  if (step.explained > 0) return 'explained';
  return mended ? 'arguments' : 'none';
}

function giveUp(reply: LadderReply, { reasks, explained }: LadderStep): NextAction {
  const tries = String(Math.max(reasks, explained - 1) + 1);
  const written = reply.inText.attempts[0]?.text ?? reply.text.trim();
  const faults = reply.calls.map(({ name, fault }) => `${name}: ${fault ?? ''}`).join('\n');
  const tried = [faults, written, reply.thinking.trim()].find((text) => text !== '') ?? '';
  const message =
    tried === ''
      ? `The model returned an empty response, ${tries} times over.`
      : `The model did not get its reply right in ${tries} tries.`;
  return { do: 'give_up', message, tried: tried.slice(0, maxTriedChars).toWellFormed(), rung: 'person' };
}
