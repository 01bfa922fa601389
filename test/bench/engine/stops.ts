/**
 * Stop at random moments of every phase, a raw client beside it on a simulator of its own. The simulator takes
 * the slot at every 20th close while lines flow, whatever the moment, so the cure is tried as well.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TurnPhase } from '../../../src/protocol/model.ts';
import { reply, startSim, type ScriptRequest, type Sim, type TruthRequest } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { Chance } from '../prefix/chance.ts';
import { quantile, ratioOfP95, round, type Part } from './figures.ts';
import { rawChat } from './raw-stop.ts';

const speed = 10;
const rate = 800;
const batch = 1_024;
const noise = 0.05;
/** What the runner may still do after a close: it looks once a second, and finishes its batch. */
const boundMs = ((1_000 + (batch / rate) * 1_000) * (1 + noise)) / speed;
/** Of timers and sockets on a machine that does other things too. */
const slackMs = 60;
const floorMs = 2;
const loseSlotEvery = 20;
/** Turns of one session; a long one would have to be summarised. */
const perSession = 12;

const model = 'qwen3.5:9b';
const loadedOnce = ['first:1b', 'second:1b'];
const time = { prefillTokensPerSecond: rate, noise, decodeTokensPerSecond: 40 };

type Kind = 'prefill' | 'thinking' | 'text' | 'approval' | 'tool' | 'lease' | 'loading';

interface Stop {
  kind: Kind;
  /** Where the request was when it was closed; null = none was open. */
  closed: 'prefill' | 'lines' | null;
  ms: number | null;
  /** From the close until the runner had nothing more to do for it; null = it had not begun, or was over. */
  wastedMs: number | null;
  slot: string | undefined;
}

export interface StopOptions {
  seed: number;
  /** Stops in prefill with a raw one beside each, and stops in every other phase together. */
  pairs: number;
  others: number;
}

export async function benchStops({ seed, pairs, others }: StopOptions): Promise<Part> {
  const chance = new Chance(seed);
  const models = [model, ...loadedOnce].map((name) => ({
    name,
    family: 'qwen3.5' as const,
    bytes: 1e9,
    time,
  }));
  const sim = { speed, seed, loseSlotEvery, models, script: answerFor, runnerStatus: true };
  const world = await World.start({ sim, files: { 'a.txt': 'alpha\n' } });
  const raw = await startSim({ ...sim, loseSlotEvery: 1e9 });
  try {
    const bench = new StopBench(world, raw, chance);
    await bench.loadingStops();
    const kinds: Kind[] = ['thinking', 'text', 'text', 'approval', 'tool', 'lease'];
    const order = [
      ...Array.from({ length: pairs }, (): Kind => 'prefill'),
      ...Array.from({ length: others }, (_, index): Kind => kinds[index % kinds.length] ?? 'text'),
    ];
    for (const kind of shuffled(order, chance)) await bench.stopIn(kind);
    return await bench.result();
  } finally {
    await raw.close();
    await world.close();
  }
}

/** The message says what the model does. */
function answerFor({ lastUser, results, endpoint }: ScriptRequest) {
  if (endpoint === 'generate') return reply().text('.');
  const words = Array.from({ length: 400 }, (_, index) => `word${String(index)}`).join(' ');
  const [, kind = '', id = ''] = /^(?:Workspace folder[^]*?\n\n)?(\w+) #(\d+)/.exec(lastUser) ?? [];
  if (kind === 'thinking') return reply().thinking(words).text('Done.');
  if (results.length > 0 || kind === 'text' || kind === 'lease') return reply().text(words);
  if (kind === 'approval' || kind === 'tool') {
    const command = `sleep 0.15; echo ${id} $(date +%s%3N) >> effects.txt`;
    return reply().toolCall('run_command', { command });
  }
  return reply().text('Done.');
}

class StopBench {
  readonly #world: World;
  readonly #raw: Sim;
  readonly #chance: Chance;
  readonly #stops: Stop[] = [];
  readonly #rawMs = { prefill: [] as number[], lines: [] as number[] };
  readonly #lost: number[] = [];
  readonly #nextMs: number[] = [];
  readonly #endedAt = new Map<string, number>();
  #session: SessionView | undefined;
  #turns = 0;
  #ids = 0;
  #cureRereads: number[] = [];

  constructor(world: World, raw: Sim, chance: Chance) {
    this.#world = world;
    this.#raw = raw;
    this.#chance = chance;
    world.sim.truth.listen(({ kind, at }) => {
      if (kind === 'slot-lost') this.#lost.push(at);
    });
  }

  /** The load is the engine's own: it goes on, and nothing is loaded twice. */
  async loadingStops(): Promise<void> {
    for (const name of loadedOnce) {
      const session = await this.#world.openSession();
      await session.rpc.call('session/update', { sessionId: session.sessionId, model: name });
      await this.#stop(session, 'loading', 'loading');
      await this.#world.rest();
    }
  }

  async stopIn(kind: Kind): Promise<void> {
    const session = await this.#current();
    const held = kind === 'lease' ? await this.#holdTheGpu() : undefined;
    await this.#stop(session, kind, phaseOf[kind]);
    if (held) {
      await held.rpc.call('turn/stop', { sessionId: held.sessionId });
      await held.until(({ turns }) => turns.at(-1)?.closed ?? false);
    }
    if (kind === 'prefill') this.#rawMs.prefill.push(await this.#rawStop('prefill'));
    if (kind === 'text' || kind === 'thinking') this.#rawMs.lines.push(await this.#rawStop('lines'));
  }

  async #current(): Promise<SessionView> {
    if (!this.#session || this.#turns >= perSession) {
      this.#session = await this.#world.openSession();
      await this.#session.rpc.call('session/update', { sessionId: this.#session.sessionId, model });
      this.#turns = 0;
    }
    this.#turns += 1;
    return this.#session;
  }

  async #holdTheGpu(): Promise<SessionView> {
    const other = await this.#world.openSession();
    await other.rpc.call('session/update', { sessionId: other.sessionId, model });
    await other.send(`text #${String((this.#ids += 1))}`);
    await other.until(({ turns }) => turns.at(-1)?.phase === 'text');
    return other;
  }

  #message(kind: Kind): string {
    const id = String((this.#ids += 1));
    return kind === 'prefill' ? `prefill #${id} ${this.#chance.paragraph(900)}` : `${kind} #${id}`;
  }

  async #stop(session: SessionView, kind: Kind, phase: TurnPhase): Promise<void> {
    const { truth } = this.#world.sim;
    const text = this.#message(kind);
    const turnId = await session.send(text);
    if (kind === 'tool') void session.answer('allow');
    await session.until(
      () => session.turn(turnId)?.phase === phase || session.turn(turnId)?.endedAt !== null,
    );
    await pause(this.#chance.below(momentsOf[kind]));

    const open = truth.requests.findLast(
      ({ endpoint, outcome }) => endpoint === '/api/chat' && outcome === 'running',
    );
    const lines = (open?.generated ?? 0) > 0;
    const losses = this.#lost.length;
    const began = performance.now();
    const seen = new Promise<number | null>((resolve) => {
      if (!open) resolve(null);
      const off = truth.listen(({ kind: what, request }) => {
        if (request !== open || (what !== 'client-closed' && what !== 'request-finished')) return;
        off();
        resolve(what === 'client-closed' ? performance.now() - began : null);
      });
    });
    await session.rpc.call('turn/stop', { sessionId: session.sessionId, turnId });
    const ms = await seen;
    await session.until(() => session.turn(turnId)?.endedAt !== null);
    this.#endedAt.set(/#(\d+)/.exec(text)?.[1] ?? '', Date.now());
    await this.#nextSendIsSoon(session, turnId, open);
    const stopped = session.items('stopped').find((item) => item.turnId === turnId);
    this.#stops.push({
      kind,
      closed: ms === null ? null : lines ? 'lines' : 'prefill',
      ms,
      wastedMs: wastedMs(open),
      slot: stopped?.slot,
    });
    if (stopped?.slot === 'cured') this.#cureRereads.push(truth.last('/api/generate')?.evaluated ?? 0);
    if (this.#lost.length > losses && stopped?.slot !== 'cured')
      console.error(`not cured: ${kind} ${String(stopped?.slot)}`);
  }

  /**
   * From the end of the turn until the engine would take the next prompt: the runner at rest, and our own probe. What the
   * probe reads the next message would have to read (the history as it renders behind another question), so it counts apart.
   */
  async #nextSendIsSoon(session: SessionView, turnId: string, open: TruthRequest | undefined): Promise<void> {
    const { truth } = this.#world.sim;
    const [ended, before] = [performance.now(), truth.requests.length];
    await session.closed(turnId);
    const read = truth.requests
      .slice(before)
      .reduce((sum, { endpoint, evaluated }) => sum + (endpoint === '/api/generate' ? evaluated : 0), 0);
    const readMs = ((read / rate) * 1_000 * (1 + noise)) / speed;
    const stopped = session.items('stopped').find((item) => item.turnId === turnId);
    if (open && open.outcome === 'closed' && stopped?.slot !== 'cured')
      this.#nextMs.push(performance.now() - ended - readMs);
  }

  async #rawStop(where: 'prefill' | 'lines'): Promise<number> {
    const id = String((this.#ids += 1));
    const content = where === 'prefill' ? `prefill #${id} ${this.#chance.paragraph(900)}` : `text #${id}`;
    const reading = this.#raw.truth.next('prefill-started');
    const finished = this.#raw.truth.next('request-finished');
    const chat = rawChat(this.#raw, { model, messages: [{ role: 'user', content }] }, where === 'lines');
    await reading;
    if (where === 'lines') await chat.opened;
    await pause(this.#chance.below(momentsOf[where === 'lines' ? 'text' : 'prefill']));
    const ms = await chat.stop();
    await finished;
    return ms;
  }

  async result(): Promise<Part> {
    const { truth } = this.#world.sim;
    const of = (closed: Stop['closed']): number[] =>
      this.#stops.flatMap((stop) => (stop.closed === closed && stop.ms !== null ? [stop.ms] : []));
    const [prefill, lines] = [of('prefill'), of('lines')];
    const cured = this.#stops.filter(({ slot }) => slot === 'cured').length;
    const figures = {
      stops: this.#stops.length,
      pairs: Math.min(prefill.length, this.#rawMs.prefill.length),
      stop_ratio: round(ratioOfP95(prefill, this.#rawMs.prefill, floorMs), 2),
      stop_text_ratio: round(ratioOfP95(lines, this.#rawMs.lines, floorMs), 2),
      stop_p95_ms: round(quantile(prefill, 0.95), 1),
      raw_p95_ms: round(quantile(this.#rawMs.prefill, 0.95), 1),
      stop_text_p95_ms: round(quantile(lines, 0.95), 1),
      raw_text_p95_ms: round(quantile(this.#rawMs.lines, 0.95), 1),
      slots_lost: this.#lost.length,
      slots_cured: cured,
      cure_reread: this.#cureRereads.reduce((sum, tokens) => sum + tokens, 0),
      unloads: truth.unloads.length - cured,
      late_effects: await this.#lateEffects(),
      wasted_p95_ms: round(
        quantile(
          this.#stops.flatMap(({ wastedMs }) => wastedMs ?? []),
          0.95,
        ),
        1,
      ),
      wasted_over_bound: this.#stops.filter(({ wastedMs }) => (wastedMs ?? 0) > boundMs + slackMs).length,
      next_over_bound: this.#nextMs.filter((ms) => ms > boundMs + slackMs).length,
      next_p95_ms: round(quantile(this.#nextMs, 0.95), 1),
    };
    return {
      title: 'stops',
      figures,
      gates: [
        { figure: 'stop_ratio', at: 'most', limit: 3 },
        { figure: 'stop_text_ratio', at: 'most', limit: 2 },
        { figure: 'pairs', at: 'least', limit: 200 },
        { figure: 'slots_lost', at: 'above', limit: 0 },
        { figure: 'slots_cured', at: 'exactly', limit: this.#lost.length },
        { figure: 'unloads', at: 'exactly', limit: 0 },
        { figure: 'late_effects', at: 'exactly', limit: 0 },
        { figure: 'wasted_over_bound', at: 'exactly', limit: 0 },
        { figure: 'next_over_bound', at: 'exactly', limit: 0 },
      ],
      rows: this.#rows(),
    };
  }

  /** A command that wrote after its turn had said that it was stopped. */
  async #lateEffects(): Promise<number> {
    const path = join(this.#world.workspace, 'effects.txt');
    const text = await readFile(path, 'utf8').catch(() => '');
    return text
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([id = '', at]) => Number(at) > (this.#endedAt.get(id) ?? Infinity)).length;
  }

  #rows(): string[][] {
    const kinds = [...new Set(this.#stops.map(({ kind }) => kind))].toSorted();
    return [
      ['phase', 'stops', 'closed', 'p50 ms', 'p95 ms', 'cured'],
      ...kinds.map((kind) => {
        const of = this.#stops.filter((stop) => stop.kind === kind);
        const ms = of.flatMap((stop) => (stop.ms === null ? [] : [stop.ms]));
        const figure = (share: number): string => (ms.length === 0 ? '-' : quantile(ms, share).toFixed(1));
        const cured = of.filter(({ slot }) => slot === 'cured').length;
        return [kind, String(of.length), String(ms.length), figure(0.5), figure(0.95), String(cured)];
      }),
    ];
  }
}

function wastedMs(request: TruthRequest | undefined): number | null {
  const { closedByClientAt, runnerIdleAt } = request ?? {};
  return closedByClientAt === undefined || runnerIdleAt === undefined
    ? null
    : runnerIdleAt - closedByClientAt;
}

const phaseOf: Record<Kind, TurnPhase> = {
  prefill: 'prefill',
  thinking: 'thinking',
  text: 'text',
  approval: 'approval',
  tool: 'tool',
  lease: 'lease',
  loading: 'loading',
};

/** Milliseconds over which the moments of a phase are spread. */
const momentsOf: Record<Kind, number> = {
  prefill: 150,
  thinking: 300,
  text: 300,
  approval: 50,
  tool: 200,
  lease: 50,
  loading: 80,
};

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(chance.below(left.length), 1));
}
