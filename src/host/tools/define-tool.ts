/** What all tools share: repair and parsing, the time limit, the output cap, errors in words for the model. */
import type { z } from 'zod';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { inOwnWords } from './action-words.ts';
import { combined, inWords, type Words } from './advice.ts';
import { filesIn } from './brought-files.ts';
import { describeRefusal } from './failure-words.ts';
import { pausing, startLimit } from './time-limit.ts';
import { repairArguments } from './repair.ts';
import { describeParameters, toToolSchema } from './schema.ts';
import type {
  Checked,
  ParsedCall,
  PreparedCall,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolResult,
  ToolSchema,
} from './tool.ts';
import { cancelledResult, resultCap, ToolFailure, truncationMark } from './tool.ts';

/** How long a tool may take to end after its signal; then its result is no longer waited for. */
const gracePeriodMs = 5_000;

export function defineTool<P extends z.ZodObject>(
  definition: ToolDefinition<P>,
  clock: Clock = systemClock,
): Tool {
  const { name, description, parameters, retrySafe, mutates } = definition;
  let made: ToolSchema | undefined;
  // Made when somebody asks: no window waits for it when the host starts.
  const schemaOf = (): ToolSchema => (made ??= toToolSchema(parameters));
  return {
    name,
    description,
    get schema() {
      return schemaOf();
    },
    retrySafe,
    mutates,
    risk: definition.risk,
    about: definition.about,
    ...(definition.isOffered && { isOffered: definition.isOffered }),
    ...(definition.needsResultOf !== undefined && { needsResultOf: definition.needsResultOf }),
    parse(given): ParsedCall {
      const schema = schemaOf();
      const said = definition.otherWords
        ? inOwnWords(given, definition.otherWords)
        : { args: given, repairs: [] };
      const { args, repairs } = repairArguments(name, schema, said.args);
      const parsed = parameters.safeParse(args);
      if (!parsed.success) {
        const { content: error, bare } = describeMistakes(name, schema, args, parsed.error);
        return { ok: false, error, bare };
      }
      const call = parsed.data;
      const prepare = ({ need, execute }: Pick<ToolDefinition<P>, 'need' | 'execute'>): PreparedCall => ({
        subject: definition.subject(call),
        repairs: [...said.repairs, ...repairs],
        need: { risk: definition.risk, ...need(call) },
        async check(context) {
          let checked: Partial<Checked> = {};
          const outcome = await settle(context, definition.timeoutMs, clock, async (inner) => {
            checked = (await definition.check?.(call, inner)) ?? {};
            return { ok: true, content: '', display: checked.display ?? null };
          });
          if (!outcome.ok) return { ok: false, result: outcome };
          const { touched = null, farEffect, undo } = checked;
          return { ok: true, display: outcome.display, touched, farEffect, undo };
        },
        execute: (context) => settle(context, definition.timeoutMs, clock, (inner) => execute(call, inner)),
      });
      const { outside } = definition;
      return { ok: true, call: { ...prepare(definition), ...(outside && { outside: prepare(outside) }) } };
    },
  };
}

/** At most `resultCap` characters, and a mark where more was (X12 l). */
export function capText(text: string): string {
  if (text.length <= resultCap) return text;
  // Half of a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(resultCap - 1)) ? resultCap - 1 : resultCap;
  return text.slice(0, end) + truncationMark;
}

/** Runs one piece of a tool; whatever happens becomes a result. */
async function settle(
  context: ToolContext,
  timeoutMs: number | null,
  clock: Clock,
  run: (context: ToolContext) => Promise<ToolResult>,
): Promise<ToolResult> {
  if (context.signal.aborted) return failed({ content: cancelledResult });

  const timeUp = new AbortController();
  const ended = context.ended ?? new AbortController().signal;
  const signal = AbortSignal.any([context.signal, timeUp.signal, ended]);
  const timer =
    timeoutMs === null ? null : startLimit(timeoutMs, clock, () => timeUp.abort(timedOut(timeoutMs)));
  const reason = (): Words => (timeUp.signal.reason as ToolFailure).words;
  try {
    const { person } = context;
    const timedPerson = timer && person?.reach && { ...person, reach: pausing(timer, person.reach) };
    const work = run({ ...context, signal, ...(timedPerson && { person: timedPerson }) });
    const {
      ok,
      display,
      whole,
      refused,
      files = [],
      pictures,
      value,
      ...words
    } = await (timer ? withAbortDeadline(work, signal, clock) : work);
    if (context.signal.aborted) return { ok: false, content: cancelledResult, display };
    if (timeUp.signal.aborted || ended.aborted) {
      const why = timeUp.signal.aborted ? reason() : endedByPerson;
      const what = combined((...texts) => texts.join('\n').trim(), why, words);
      const result = capped({ ok: false, ...what, display, whole, pictures });
      return timeUp.signal.aborted ? { ...result, timedOut: true } : result;
    }
    const brought = ok ? [...files, ...filesIn(value)] : [];
    return capped({
      ok,
      ...(ok ? words : asError(words)),
      display,
      whole,
      pictures,
      ...(refused !== undefined && { refused }),
      ...(brought.length > 0 && { files: brought }),
    });
  } catch (error) {
    if (context.signal.aborted) return failed({ content: cancelledResult });
    if (timeUp.signal.aborted) return { ...failed(reason()), timedOut: true };
    if (ended.aborted) return failed(endedByPerson);
    if (error instanceof ToolFailure) return failed(asError(error.words));
    const why = describeRefusal(error) ?? withReason(error);
    return { ...failed(combined((text) => `Tool error: ${text}`, why)), threw: true };
  } finally {
    timer?.cancel();
  }
}

const endedByPerson = inWords(
  'Error: the person ended this call before it was done.',
  'Do not repeat it as it was; go on without it, or ask what they want instead.',
);

const asError = (words: Words): Words => combined((text) => `Error: ${text}`, words);

const failed = (words: Words): ToolResult => capped({ ok: false, ...words, display: null });

/** What is cut for the model is kept whole for the person. */
function capped({ content, bare, whole, ...result }: ToolResult): ToolResult {
  const cut = capText(content);
  const all = whole ?? (cut === content ? undefined : content);
  return {
    ...result,
    content: cut,
    ...(bare !== undefined && { bare: capText(bare) }),
    ...(all !== undefined && { whole: all }),
  };
}

/** Stop never waits for a tool that does not listen, such as a read from a network drive that hangs. */
async function withAbortDeadline<T>(work: Promise<T>, signal: AbortSignal, clock: Clock): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  const onAbort = (): void =>
    void clock.after(gracePeriodMs, () => overdue.reject(new Error('it did not end in time')));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const timedOut = (timeoutMs: number): ToolFailure =>
  new ToolFailure(`Tool error: it was ended after ${String(timeoutMs / 1000)} s.`, {
    advice: 'Do it in smaller parts, or in a way that ends by itself.',
  });

/** "Error: None" helps nobody (W17). */
function withReason(error: unknown): Words {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.trim() === ''
    ? inWords('the tool failed without saying why.', 'Try another way.')
    : { content: reason };
}

function describeMistakes(name: string, schema: ToolSchema, args: unknown, error: z.ZodError): Words {
  const mistakes = error.issues.map((issue) => {
    const argument = issue.path.join('.');
    if (argument === '') return 'the arguments must be one JSON object';
    if (!Object.hasOwn(Object(args), argument)) return `${argument} is missing`;
    return issue.code === 'too_small' && issue.origin === 'string'
      ? `${argument} is empty`
      : `${argument}: ${issue.message}`;
  });
  return inWords(
    `Tool error: ${name} was not run: ${mistakes.join('; ')}.`,
    `Call it again with: ${describeParameters(schema)}.`,
  );
}
