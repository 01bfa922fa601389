/** A house whose engine fails by script, and a message that lives through it. */
import type { TurnStatus } from '../../src/protocol/model.ts';
import { reply, sequence, type Reply, type SimOptions } from '../../src/sim/index.ts';
import { houseProblems } from './house-checks.ts';
import { World, type SessionView } from './host-world.ts';
import { skippableClock, type SkippableClock } from './skippable-clock.ts';

export interface Run {
  world: World;
  session: SessionView;
  clock: SkippableClock;
}

/** What a person sees of a fault. */
export interface Told {
  status: TurnStatus;
  code?: string;
  message?: RegExp;
  advice?: RegExp;
  note?: RegExp;
}

export interface Fault extends Told {
  fault: string;
  engine: Reply[];
  sim?: SimOptions;
  /** A program asks, which is told at once; the message of a person would wait. */
  asProgram?: boolean;
  before?: (run: Run) => void | Promise<void>;
  /** Happens while the message is being answered. */
  meanwhile?: (run: Run) => Promise<void>;
  /** The advice, followed. */
  cure?: (run: Run) => void | Promise<void>;
  /** Texts of the model that stay on the screen. */
  kept?: string[];
}

/** The houses of one test file. */
export class FaultyHouses {
  readonly #worlds: World[] = [];

  /** The engine answers in this order, and well from then on. */
  async open(replies: readonly Reply[], sim: SimOptions = {}): Promise<Run> {
    const clock = skippableClock();
    const world = await World.start({
      clock,
      files: { 'README.md': 'Hello.\n' },
      sim: { speed: 1000, runnerStatus: true, script: sequence(...replies, reply().text('Better.')), ...sim },
    });
    this.#worlds.push(world);
    return { world, session: await world.openSession(), clock };
  }

  /** Lives through the fault and the message after it; says what did not go as it must. */
  async endure(fault: Fault): Promise<Run & { problems: string[] }> {
    const run = await this.open(fault.engine, fault.sim);
    const { world, session } = run;
    await fault.before?.(run);
    const turnId = fault.asProgram ? await runAsProgram(session) : await session.send('Try');
    await fault.meanwhile?.(run);
    const { status } = await session.closed(turnId);
    const problems = [...untold(fault, status, session), ...lost(fault, session)];
    await world.rest();
    problems.push(...houseProblems(world, session));

    await fault.cure?.(run);
    const next = await session.ask('Again');
    const { text = '', cut } = session.items('text').at(-1) ?? {};
    if (next.status !== 'finished') problems.push(`the next message ended as ${next.status}`);
    if (text !== 'Better.' || cut) problems.push(`the next answer is ${text}`);
    await world.rest();
    return { ...run, problems: [...problems, ...houseProblems(world, session)] };
  }

  async close(): Promise<void> {
    for (const world of this.#worlds.splice(0)) await world.close();
  }
}

async function runAsProgram({ rpc, sessionId }: SessionView): Promise<string> {
  return (await rpc.call('turn/run', { sessionId, text: 'Try' })).turnId;
}

function same(what: string, found: string | undefined, wanted: string | undefined): string[] {
  return found === wanted ? [] : [`the ${what} is ${String(found)}, not ${String(wanted)}`];
}

function like(what: string, found: string | undefined, wanted: RegExp | undefined): string[] {
  const text = found ?? '';
  return wanted && !wanted.test(text) ? [`the ${what} is "${text}", not ${String(wanted)}`] : [];
}

function untold(expected: Told, status: TurnStatus, session: SessionView): string[] {
  const error = session.items('error').at(-1);
  const notes = session.items('note').map((item) => item.text);
  return [
    ...same('status', status, expected.status),
    ...same('code', error?.code, expected.code),
    ...like('message', error?.message, expected.message),
    ...like('advice', error?.advice, expected.advice),
    ...like('note', notes.join('\n'), expected.note ?? /^$/),
  ];
}

function lost({ kept = [] }: Fault, session: SessionView): string[] {
  const texts = new Set(session.items('text').map((item) => item.text));
  return kept.filter((text) => !texts.has(text)).map((text) => `"${text}" is lost`);
}
