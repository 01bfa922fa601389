/** Messages that say what the model will do with them, and the simulator's script that does it. */
import { Reply, reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { inForm } from '../../src/sim/demo/under-grammar.ts';
import type { JsonObject } from '../../src/sim/render/index.ts';
import { asksForOpening, openingOf } from '../../src/sim/script/scripted-acts.ts';
import type { ReplyStep } from '../../src/sim/script/reply.ts';
import { grammarProblem, writeUnderGrammar } from '../../src/sim/script/grammar.ts';

/** Step after step: the reply to the message, then to each round of results. The last one repeats. */
const plans = {
  say: () => [reply().thinking('Let me see.').text('Here you are.')],
  read: () => [reply().toolCall('read_file', { path: 'notes.txt' }), reply().text('It says milk.')],
  write: (n) => [
    reply().toolCall('write_file', { path: `out-${n}.txt`, content: n }),
    reply().text('Written.'),
  ],
  command: (n) => [reply().text('Now.').toolCall('run_command', effect(n)), reply().text('It ran.')],
  two: (n) => [
    reply()
      .thinking('Two at once.')
      .toolCall('read_file', { path: 'notes.txt' })
      .toolCall('run_command', effect(n)),
    reply().text('Both done.'),
  ],
  chain: (n) => [
    reply().toolCall('read_file', { path: 'notes.txt' }),
    reply().toolCall('edit_file', { path: 'notes.txt', old_text: 'milk', new_text: 'milk and more' }),
    reply().toolCall('run_command', effect(n)),
    reply().text('All three.'),
  ],
  everything: (n) => [
    reply()
      .thinking('First look around.')
      .toolCall('read_file', { path: 'notes.txt' })
      .toolCall('search', { pattern: 'milk' }),
    reply().toolCall('edit_file', { path: 'notes.txt', old_text: 'milk', new_text: 'milk and more' }),
    reply().text('Now run it.').toolCall('run_command', effect(n)),
    reply().toolCall('write_file', { path: `out-${n}.txt`, content: n }),
    reply().text('All of it is done.'),
  ],
  odd: () => [
    reply().toolCall('no_such_tool', { a: 1 }).toolCall('read_file', { file: 7 }).toolCall('read_file', {
      path: '../outside',
    }),
    reply().text('I see.'),
  ],
  refused: () => [reply().error(500, 'Compute error.')],
  overlong: (n) => [
    reply().text('And then').toolCall('run_command', effect(n)).length(),
    reply().text('Enough.'),
  ],
  hang: () => [reply().text('One moment').hang()],
  silent: () => [reply().hang()],
} satisfies Record<string, (n: string) => Reply[]>;

/** First time, then the plan of the same message asked again. */
const flawed = {
  cut: () => [reply().text('Half a').eofWithoutDone(), reply().text('Half and whole.')],
  cutCall: (n) => [reply().toolCall('run_command', effect(n)).reset(), reply().text('Without it.')],
  empty: () => [reply().emptyReply(), reply().text('At last.')],
} satisfies Record<string, (n: string) => [Reply, Reply]>;

export type PlanName = keyof typeof plans | keyof typeof flawed;
export const planNames = [...Object.keys(plans), ...Object.keys(flawed)] as PlanName[];

const effectsFile = 'effects.txt';
const effect = (n: string) => ({ command: `echo ${n} >> ${effectsFile}` });

/** @param n tells the message, and what its command leaves behind, from all others. */
export const messageOf = (n: number, plan: PlanName): string => `Please do #${String(n)} ${plan}`;

export function planOf(text: string): { n: string; plan: PlanName } | undefined {
  const [, n, plan] = /#(\d+) (\w+)/.exec(text) ?? [];
  return n !== undefined && isPlan(plan) ? { n, plan } : undefined;
}

const isPlan = (name: string | undefined): name is PlanName => planNames.some((known) => known === name);

export function planScript(): Script {
  const asked = new Set<string>();
  return ({ endpoint, messages, format }: ScriptRequest) => {
    const at = messages.findLastIndex(({ role, content }) => role === 'user' && planOf(content));
    const message = planOf(messages[at]?.content ?? '');
    if (endpoint !== 'chat' || !message) return undefined;
    // Where a template shows no results, they come as what the user says.
    const results = messages.slice(at + 1).filter(({ role }) => role !== 'assistant');
    const { n, plan } = message;
    if (asksForOpening({ format })) return openingOf(aheadOf(plan, n));
    if (plan in flawed) {
      const [first, again] = flawed[plan as keyof typeof flawed](n);
      const isFirst = !asked.has(n);
      asked.add(n);
      return underGrammar(isFirst ? first : again, format);
    }
    const all = plans[plan as keyof typeof plans](n);
    return underGrammar(all[Math.min(results.length, all.length - 1)] ?? reply(), format, all);
  };
}

const aheadOf = (plan: PlanName, n: string): Reply[] =>
  plan in flawed ? flawed[plan as keyof typeof flawed](n) : plans[plan as keyof typeof plans](n);

/**
 * The same as a grammar lets a model write it: the first of its calls that is allowed, else its text as the answer, else
 * another call of the plan.
 */
function underGrammar(said: Reply, format: unknown, plan: readonly Reply[] = []): Reply {
  if (format === undefined) return said;
  const own = valuesOf(said);
  if (own.length === 0) return new Reply(faultsOf(said));
  const values = [...own.filter(isCall), ...own.filter((value) => !isCall(value)), ...plan.flatMap(valuesOf)];
  const allowed = values.find(
    (value) => grammarProblem(format, writeUnderGrammar(value, format), false) === undefined,
  );
  if (allowed === undefined) return inForm(said, format);
  return new Reply([{ do: 'constrained', value: allowed }, ...faultsOf(said)]);
}

const valuesOf = ({ steps }: Reply): JsonObject[] =>
  steps.flatMap((step): JsonObject[] => {
    if (step.do === 'text') return [{ answer: step.text }];
    return step.do === 'call' ? [{ call: step.name, with: step.arguments }] : [];
  });

const isCall = (value: JsonObject): boolean => 'call' in value;

const faultsOf = ({ steps }: Reply): ReplyStep[] =>
  steps.filter(({ do: what }) => what === 'fault' || what === 'stop' || what === 'refuse');
