/** Anything in any order: whatever people do and whenever the host dies, what was promised holds. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planNames } from '../helpers/message-plans.ts';
import { People } from '../helpers/people.ts';
import { isThorough } from '../helpers/thorough.ts';

const wantedSteps = isThorough ? 20_000 : 500;
/** What must be met is met by then. */
const maxSteps = Math.max(wantedSteps, 2_000);
const stepsPerRun = 60;
const runsPerBatch = 10;
const limitMs = isThorough ? 900_000 : 120_000;

/** One step and what it is called in a counterexample. */
class Step implements fc.AsyncCommand<object, People> {
  readonly #what: string;
  readonly #act: (people: People) => Promise<void>;

  constructor(what: string, act: (people: People) => Promise<void>) {
    this.#what = what;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, people: People): Promise<void> {
    people.steps += 1;
    await this.#act(people);
  }

  toString(): string {
    return this.#what;
  }
}

const step = <T>(
  name: string,
  details: fc.Arbitrary<T>,
  act: (people: People, details: T) => Promise<void>,
): fc.Arbitrary<Step> =>
  fc.tuple(details, fc.oneof(fc.nat(4), fc.nat(40), fc.constant(Infinity))).map(
    ([chosen, events]) =>
      new Step(`${name}(${JSON.stringify(chosen)}) then ${String(events)} events`, async (people) => {
        await act(people, chosen);
        await people.watch(events);
      }),
  );

const who = fc.nat(1);
const sent = fc.record({ who, plan: fc.constantFrom(...planNames), queue: fc.boolean() });
const message = step('message', sent, (people, each) => people.send(each.who, each.plan, each.queue));
const approve = step(
  'approve',
  fc.record({ who, scope: fc.constantFrom('once', 'session') }),
  (people, each) => people.answer(each.who, 'allow', each.scope),
);
/** Few writes hit what is begun, many what it leads to. */
const death = fc.record({ writes: fc.oneof(fc.nat(8), fc.nat(30), fc.nat(90)), next: fc.option(fc.nat(12)) });
const crash = step('crash', death, (people, { writes, next }) =>
  people.crash(writes, next, () => Promise.resolve()),
);
const commands = fc.commands(
  [
    message,
    message,
    message,
    approve,
    approve,
    crash,
    step(
      'crash on a message',
      fc.tuple(death, sent),
      (people, [{ writes, next }, { who: which, plan, queue }]) =>
        people.crash(writes, next, () => people.send(which, plan, queue)),
    ),
    step('crash on a yes', fc.tuple(death, who), (people, [{ writes, next }, which]) =>
      people.crash(writes, next, () => people.answer(which, 'allow', 'once')),
    ),
    step('crash on a stop', fc.tuple(death, who), (people, [{ writes, next }, which]) =>
      people.crash(writes, next, () => people.stop(which, false)),
    ),
    step('deny', who, (people, which) => people.answer(which, 'deny', 'once')),
    step('stop', fc.record({ who, queued: fc.boolean() }), (people, each) =>
      people.stop(each.who, each.queued),
    ),
    step('stop twice', who, async (people, which) => {
      await Promise.all([people.stop(which, false), people.stop(which, false)]);
    }),
    step('send what waits', who, (people, which) => people.sendHeld(which)),
    step('restart', fc.constant(null), (people) => people.restart()),
    step('reload', who, (people, which) => people.reload(which)),
    step(
      'switch profile',
      fc.record({ who, profile: fc.constantFrom('developer', 'reader') }),
      (people, { who: which, profile }) => people.switchProfile(which, profile),
    ),
    step(
      'switch model',
      fc.record({
        who,
        model: fc.constantFrom(null, 'qwen3.5:9b', 'gemma4:8b', 'qwen2.5:7b', 'llama3.1:8b'),
      }),
      (people, { who: which, model }) => people.update(which, { model }),
    ),
    step('rename', fc.record({ who, pinned: fc.boolean() }), (people, { who: which, pinned }) =>
      people.update(which, { title: `Title ${String(pinned)}`, pinned }),
    ),
  ],
  { maxCommands: stepsPerRun, size: 'max' },
);

/** What random steps must have led to, so that the checks above had something to look at. */
const mustBeMet = [
  ...['finished', 'stopped', 'failed', 'interrupted'].map((status) => `turn ${status}`),
  ...['done', 'failed', 'declined', 'stopped', 'interrupted'].map((state) => `tool ${state}`),
  'error interrupted',
  'error engine_refused',
  'switch',
  'note',
];

test(
  'steps in random order keep every promise (X12 a, Q4, Q17)',
  async () => {
    const seed = Number(process.env['ANDIRON_SEED'] ?? Date.now() % 2 ** 31);
    const met = new Set<string>();
    const count = { steps: 0 };
    const live = async (chosen: Iterable<fc.AsyncCommand<object, People>>): Promise<void> => {
      const people = await People.move(2);
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: people }), chosen);
        for (const each of await people.settle()) met.add(each);
      } finally {
        count.steps += people.steps;
        await people.house.close();
      }
    };
    const unmet = (): string[] => mustBeMet.filter((each) => !met.has(each));
    const isEnough = (): boolean => count.steps >= (unmet().length > 0 ? maxSteps : wantedSteps);
    for (let batch = 0; !isEnough(); batch += 1) {
      await fc.assert(fc.asyncProperty(commands, live), {
        seed: seed + batch,
        numRuns: runsPerBatch,
        // What was found by then is reported, with its seed and the steps that are left after shrinking.
        interruptAfterTimeLimit: limitMs - 30_000,
      });
    }
    expect(unmet()).toEqual([]);
  },
  limitMs,
);
