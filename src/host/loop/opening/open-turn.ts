/**
 * The opening of a turn: one request on the live prefix, under a grammar, in which the model says what it is about to do.
 * Nothing of it is kept in the log: the conversation goes on as the model was taught, a call behind the message.
 */
import { AndironError } from '../../../protocol/errors.ts';
import type { TurnPermission } from '../../../protocol/model.ts';
import { askAgain, isWorthAsking } from '../ask-again.ts';
import { maxReasks } from '../calls/ladder.ts';
import { laterTemperature } from '../calls/ways.ts';
import { makeRoom } from '../compact.ts';
import type { RequestScope, ToolPort } from '../ports.ts';
import type { PersonMessage } from '../../prompt/person-message.ts';
import { callableTools } from '../offered.ts';
import { askSide, type SideQuestion } from '../request/ask-side.ts';
import { saidIn } from '../steps/known-paths.ts';
import { Steps, workOf } from '../steps/steps.ts';
import { withCopies } from './copied-files.ts';
import { runsNoProgram, runsMadeUpFile } from './made-up-runs.ts';
import { withRealNames } from './real-names.ts';
import { cautiousSteps, openingGrammarFor, readOpening, scopeOf, type ScopeStep } from './turn-acts.ts';

/** Four steps of sixty characters, in any script. */
const maxTokens = 400;

export interface OpeningReply {
  /** null = it is no opening. */
  steps: ScopeStep[] | null;
  /** It ended in a thought, so nothing is known of its openings. */
  isThought: boolean;
}

/** A turn that is opened. */
export interface Opening {
  steps: Steps;
  /** It was said, and is not what stands for what was not. */
  inForm: boolean;
  /** Replies that were no opening. */
  slips: number;
}

interface OpeningGoal {
  message: PersonMessage;
  /** What the person allowed besides. */
  allow?: readonly TurnPermission[];
}

interface OpeningScope extends RequestScope {
  readonly tools: Pick<ToolPort, 'tools' | 'workspace' | 'attached'>;
}

/** A connection that breaks is no fault of the model, so it has a bound of its own. */
const maxRepeats = 5;

/**
 * A reply that is no opening is asked for again with other dice, as one of a step is.
 * Throws what the provider throws: `grammar_refused` where the engine takes no grammar.
 */
export async function openTurn(
  { message, allow = [] }: OpeningGoal,
  scope: OpeningScope,
  signal: AbortSignal,
): Promise<Opening> {
  makeRoom(scope);
  let repeats = 0;
  for (let slips = 0; slips <= maxReasks;) {
    const sampling = slips === 0 ? firstSampling : { temperature: laterTemperature, seed: slips };
    const reply = await askOpening({ maxTextTokens: maxTokens, ...sampling }, scope, signal).catch(
      (error: unknown) => worthAsking(error, scope, signal),
    );
    if (reply instanceof AndironError) {
      repeats += 1;
      if (repeats > maxRepeats) throw reply;
      scope.setting = await askAgain(reply, scope, signal);
    } else if (reply.steps) {
      const { workspace, attached } = scope.tools;
      const entries = [...(await workspace.entries()), ...(attached?.paths() ?? [])];
      const steps = await withoutMadeUpRuns(reply.steps, message, entries, scope, signal);
      const named = withRealNames(steps, message, entries);
      return { steps: stepsOf(copiesOf(named, message, entries, scope), allow, scope), inForm: true, slips };
    } else {
      slips += 1;
      if (slips <= maxReasks) scope.out.note('reask', slipText);
    }
  }
  const steps = cautiousSteps(mayAct(scope).mayWork);
  return { steps: stepsOf(steps, allow, scope), inForm: false, slips: maxReasks + 1 };
}

/** What runs a file that nobody knows is asked for once more, with no command to choose. */
async function withoutMadeUpRuns(
  steps: ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
  scope: OpeningScope,
  signal: AbortSignal,
): Promise<ScopeStep[]> {
  if (!runsMadeUpFile(steps, message, entries) && !runsNoProgram(steps, message, entries)) return steps;
  const format = openingGrammarFor({ ...mayAct(scope), mayRun: false });
  const limits = { maxTextTokens: maxTokens, format };
  const other = await askOpening(limits, scope, signal).catch((error: unknown) =>
    worthAsking(error, scope, signal),
  );
  return (other instanceof AndironError ? null : other.steps) ?? steps;
}

/** What no tool of the profile could do is not named. Who has none at all is only examined. */
const mayAct = ({ setting: { active, mayUse } }: RequestScope): { mayUse: boolean; mayWork: boolean } => ({
  mayUse,
  mayWork: active.head.tools.length > 0 || !mayUse,
});

const slipText = 'The model did not say what it is about to do. Asked again.';

const stepsOf = (steps: readonly ScopeStep[], allow: readonly TurnPermission[], scope: OpeningScope): Steps =>
  new Steps(
    {
      ...scopeOf(withToolsOf(scope, steps), allow),
      ...(canChange(scope) ? {} : { mayNotChange: true as const }),
    },
    allow,
  );

const canChange = ({ tools, setting }: OpeningScope): boolean =>
  callableTools(setting, tools.tools).some((tool) => workOf(tool) === 'change' || workOf(tool) === 'run');

/** Where nothing can be run, a copy is written. */
function copiesOf(
  steps: ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
  { tools, setting }: OpeningScope,
): ScopeStep[] {
  const canRun = callableTools(setting, tools.tools).some((tool) => workOf(tool) === 'run');
  return canRun ? withCopies(steps, saidIn(message, entries), entries) : steps;
}

/** A command that is the name of a tool is a call of that tool. */
function withToolsOf({ tools, setting }: OpeningScope, steps: readonly ScopeStep[]): ScopeStep[] {
  const offered = callableTools(setting, tools.tools);
  return steps.map((step) => {
    const meant = offered.find(({ name }) => step.act === 'run' && step.what.startsWith(`${name} `));
    return meant ? { ...step, act: workOf(meant) } : step;
  });
}

function worthAsking(error: unknown, { setting, model }: RequestScope, signal: AbortSignal): AndironError {
  const isAndirons = !signal.aborted && error instanceof AndironError;
  if (isAndirons && isWorthAsking(error, setting.lease.model.name, model.slots)) return error;
  throw error;
}

const firstSampling = { temperature: 0 };

/** Throws what the provider throws. `limits` without a temperature: as it is asked first. */
export async function askOpening(
  limits: Pick<SideQuestion, 'maxTextTokens' | 'maxThinkingTokens' | 'seed'> &
    Partial<Pick<SideQuestion, 'format'>> & { temperature?: number },
  scope: RequestScope,
  signal: AbortSignal,
): Promise<OpeningReply> {
  const messages = scope.history.log.messages();
  const question = {
    purpose: 'opening' as const,
    messages,
    format: openingGrammarFor(mayAct(scope)),
    ...firstSampling,
    ...limits,
  };
  const { text, thinking } = await askSide(question, scope, signal);
  return { steps: readOpening(text), isThought: text.trim() === '' && thinking.trim() !== '' };
}
