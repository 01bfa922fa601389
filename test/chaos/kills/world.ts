/** One data folder with its sessions, and what happens to it: work, a kill at a moment, a look at what is left. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AndironError } from '../../../src/protocol/errors.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { sessionTopic } from '../../../src/protocol/frames.ts';
import { startSim, type Sim } from '../../../src/sim/index.ts';
import type { Chance } from '../../bench/prefix/chance.ts';
import type { Window } from '../../helpers/host-world.ts';
import { proveModels } from '../../helpers/proven-models.ts';
import { contextProblems, endedTurnProblems, requestProblems } from '../../helpers/session-checks.ts';
import { ToldSession } from '../../helpers/told-session.ts';
import type { Built } from './built.ts';
import { effectProblems, Ledger, repeatedMessages } from './ledger.ts';
import { aim, moments, type Moment } from './moments.ts';
import { Person } from './person.ts';
import { endAll, livingWith } from './processes.ts';
import type { Life, Stage, StageOptions } from './stage.ts';
import { integrityProblems, readEffects, readStored, storeOpenings } from './stored.ts';
import type { Tally } from './tally.ts';
import { tokensIn, workScript } from './work.ts';

/** A moment that does not come is replaced by the time that has passed. */
const lateMs = 1_500;
/** Of a session with so many items the oldest would no longer stand in a snapshot. */
const fullSession = 200;
const openSessions = 2;

interface Known {
  told: ToldSession;
  ledger: Ledger;
}

export interface WorldOptions {
  name: string;
  built: Built;
  makeStage: (options: StageOptions) => Stage;
  chance: Chance;
  tally: Tally;
}

export class World {
  readonly #options: WorldOptions;
  readonly #dir: string;
  readonly #sim: Sim;
  readonly #stage: Stage;
  readonly #marker: string;
  readonly #full: Known[] = [];
  #open: Known[] = [];
  #life: Life;
  #window: Window;
  #jobs = 0;
  #requestsSeen = 0;
  /** Who follows the events of the work that runs. */
  #onEvent: (event: SessionEvent) => void = () => undefined;

  private constructor(
    options: WorldOptions,
    parts: { dir: string; sim: Sim; stage: Stage; marker: string; life: Life; window: Window },
  ) {
    this.#options = options;
    this.#dir = parts.dir;
    this.#sim = parts.sim;
    this.#stage = parts.stage;
    this.#marker = parts.marker;
    this.#life = parts.life;
    this.#window = parts.window;
  }

  static async start(options: WorldOptions): Promise<World> {
    const dir = mkdtempSync(join(tmpdir(), 'andiron-chaos-'));
    const marker = `marker-of-${options.name}-${String(process.pid)}`;
    const workspace = join(dir, 'workspace');
    mkdirSync(workspace);
    writeFileSync(join(workspace, marker), '');
    const sim = await startSim({ speed: 100, script: workScript(marker) });
    const dataDir = join(dir, 'data');
    await proveModels([`--data-dir=${dataDir}`, `--engine-url=${sim.url}`]);
    const stage = options.makeStage({ built: options.built, dataDir, workspace, engineUrl: sim.url });
    const life = await stage.next();
    const world = new World(options, { dir, sim, stage, marker, life, window: await life.openWindow() });
    world.#listen();
    await world.#openSessions();
    return world;
  }

  /** Work, a kill in the middle of it, and what is left when the next host is ready. */
  async round(): Promise<void> {
    const { chance, tally } = this.#options;
    const moment = chance.pick(moments);
    const victim = chance.pick(this.#stage.victims);
    await this.#workUntilKilled(moment, (strike) => {
      tally.killed(moment.name, victim);
      return strike.kill(victim);
    });
    while (chance.below(5) === 0 && (await this.#stage.killAtBirth(chance.below(350)))) {
      tally.killed('during recovery', this.#stage.victims.includes('server') ? 'server' : 'host');
    }
    await this.#look(`${moment.name}, ${victim} killed`);
  }

  /** The last look at everything, also at sessions that are full. */
  async close(): Promise<void> {
    const { tally } = this.#options;
    const where = 'at the end';
    this.#open.push(...this.#full.splice(0));
    await this.#look(where);
    await this.end();
    const { notFull, opened } = storeOpenings(join(this.#dir, 'data'));
    tally.fail(
      'not_full',
      Array.from({ length: notFull }, () => 'a connection that does not wait'),
      where,
    );
    if (opened === 0) tally.fail('not_full', ['no host said how its store is open'], where);
    tally.fail('invalid_histories', integrityProblems(join(this.#dir, 'data')), where);
    tally.fail('orphans', [...(await this.#leftRunning()), ...this.#stage.orphanedHosts], where);
    tally.recoveriesMs.push(...this.#stage.recoveriesMs);
    tally.farewellsMs.push(...this.#stage.farewellsMs);
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Without a word about what it leaves. */
  async end(): Promise<void> {
    await this.#stage.close();
    await this.#sim.close();
  }

  async #workUntilKilled(moment: Moment, kill: (life: Life) => Promise<void>): Promise<void> {
    const { chance } = this.#options;
    const { told, ledger } = chance.pick(this.#open);
    const struck = Promise.withResolvers<void>();
    const life = this.#life;
    const errand = {
      sessionId: told.id,
      ledger,
      work: chance.pick(moment.works),
      nextJob: () => this.#nextJob(),
    };
    const person = new Person(this.#window.rpc, errand, chance);
    const gun = aim(moment, chance, lateMs, () => struck.resolve(kill(life)));
    this.#onEvent = (event) => {
      gun.saw(event);
      person.see(event);
    };
    person.begin();
    gun.sent();
    await struck.promise;
    this.#onEvent = () => undefined;
    await person.settled();
  }

  /** The next life, and what of the last one is in it. A host that dies while it is asked is looked at again. */
  async #look(where: string): Promise<void> {
    for (;;) {
      try {
        await this.#lookOnce(where);
        return;
      } catch (error) {
        if (!(error instanceof AndironError) || error.code !== 'disconnected') throw error;
        this.#options.tally.fail('own_deaths', ['after it was ready'], where);
      }
    }
  }

  async #lookOnce(where: string): Promise<void> {
    const { tally } = this.#options;
    this.#life = await this.#stage.next();
    // Only now the next host is ready for sure: behind a server the pages come back before it.
    this.#window = await this.#life.openWindow();
    tally.fail('orphans', await this.#leftRunning(), where);
    this.#listen();
    const effects = readEffects(join(this.#dir, 'workspace'));
    for (const known of this.#open) {
      const told = known.told.state;
      const kept = await known.told.follow(this.#window);
      const problems = effectProblems(kept, effects);
      tally.facts += known.ledger.size + told.items.length + told.turns.length;
      tally.fail('lost_acknowledged', [...known.ledger.losses(told, kept), ...problems.missing], where);
      tally.fail('duplicated_effects', [...repeatedMessages(kept), ...problems.repeated], where);
      tally.fail('unasked_effects', problems.unasked, where);
      tally.fail('invalid_histories', endedTurnProblems(kept), where);
    }
    this.#readStored(effects, where);
    this.#readRequests(where);
    await this.#openSessions();
  }

  /** Nothing of a dead host's may run when the next one is ready. */
  async #leftRunning(): Promise<string[]> {
    const found = await livingWith(this.#marker);
    endAll(found);
    return found;
  }

  #readStored(effects: ReadonlyMap<string, number>, where: string): void {
    const { tally } = this.#options;
    const { contexts, begun } = readStored(join(this.#dir, 'data'));
    for (const messages of contexts.values()) {
      tally.fail('invalid_histories', contextProblems(messages, true), where);
    }
    const recorded = new Set(begun.flatMap(tokensIn));
    const unrecorded = [...effects.keys()].filter((token) => !recorded.has(token));
    tally.fail('unrecorded_effects', unrecorded, where);
  }

  /** Histories as the engine got them. */
  #readRequests(where: string): void {
    const { requests, violations } = this.#sim.truth;
    const chats = requests.slice(this.#requestsSeen).filter(({ endpoint }) => endpoint === '/api/chat');
    this.#requestsSeen = requests.length;
    this.#options.tally.fail('invalid_histories', chats.flatMap(requestProblems), where);
    this.#options.tally.fail(
      'invalid_histories',
      violations.splice(0).map(({ text }) => text),
      where,
    );
  }

  #listen(): void {
    const topics = () => new Set(this.#open.map(({ told }) => sessionTopic(told.id)));
    this.#window.rpc.onEvent((topic, _seq, event) => {
      if (topics().has(topic)) this.#onEvent(event as SessionEvent);
    });
  }

  async #openSessions(): Promise<void> {
    this.#full.push(...this.#open.filter(({ told }) => told.state.items.length >= fullSession));
    this.#open = this.#open.filter(({ told }) => told.state.items.length < fullSession);
    while (this.#open.length < openSessions) {
      const { session } = await this.#window.rpc.call('session/create', {});
      const told = await ToldSession.open(this.#window, session.id, () => undefined);
      this.#open.push({ told, ledger: new Ledger() });
    }
  }

  #nextJob(): string {
    this.#jobs += 1;
    return `job-${String(this.#jobs)}`;
  }
}
