/** Persons who use the app at the same time, each with sessions of its own: what they do is drawn from a seed. */
import type { Random } from '../../src/sim/time/random.ts';
import type { SessionView, Window } from '../helpers/host-world.ts';
import { within } from '../helpers/waiting.ts';
import type { App } from '../helpers/measured-app.ts';
import { kinds, type Kind } from './script.ts';

/** So many sessions a person keeps; the oldest one is deleted for the next. */
const maxSessions = 8;
/** After so many turns a session has had its time. */
const maxTurnsOfSession = 12;
const names = Object.keys(kinds) as Kind[];
const total = names.reduce((sum, name) => sum + kinds[name], 0);

export interface Promised {
  sessionId: string;
  turnId: string;
}

export class Person {
  /** Turns that were acknowledged, of sessions that were not deleted. */
  promised: Promised[] = [];
  turns = 0;
  readonly #app: App;
  readonly #workspace: string;
  readonly #random: Random;
  #window: Window;
  #sessions: SessionView[] = [];

  constructor(app: App, workspace: string, random: Random) {
    this.#app = app;
    this.#workspace = workspace;
    this.#random = random;
    this.#window = app.openWindow();
  }

  /** One turn, and now and then something else before it. */
  async act(): Promise<void> {
    const session = await this.#session();
    const kind = this.#kind();
    const turnId = await session.send(`${kind} #${String((this.turns += 1))}`);
    this.promised.push({ sessionId: session.sessionId, turnId });
    if (kind === 'write' || kind === 'run') void this.#allow(session, turnId);
    if (kind === 'hang') await this.#stop(session, turnId);
    await within(session.closed(turnId), `the end of a turn: ${kind}`);
    await this.#sometimes(session, turnId);
  }

  /** Windows do not outlive the app; sessions do. */
  close(): void {
    for (const session of this.#sessions) session.rpc.close();
    this.#window.rpc.close();
    this.#sessions = [];
  }

  #kind(): Kind {
    let at = this.#random() * total;
    return names.find((name) => (at -= kinds[name]) < 0) ?? 'say';
  }

  #isDrawn(share: number): boolean {
    return this.#random() < share;
  }

  async #session(): Promise<SessionView> {
    const [oldest] = this.#sessions;
    const current = this.#sessions[Math.floor(this.#random() * this.#sessions.length)];
    const isNew = !current || current.state.turns.length >= maxTurnsOfSession || this.#isDrawn(0.02);
    if (!isNew) return current;
    if (oldest && this.#sessions.length >= maxSessions) await this.#delete(oldest);
    const { session } = await this.#window.rpc.call('session/create', { workspace: this.#workspace });
    return this.#follow(session.id);
  }

  async #follow(sessionId: string): Promise<SessionView> {
    const view = await this.#app.openWindow().follow(sessionId);
    this.#sessions.push(view);
    return view;
  }

  async #delete(session: SessionView): Promise<void> {
    this.#sessions = this.#sessions.filter((each) => each !== session);
    this.promised = this.promised.filter(({ sessionId }) => sessionId !== session.sessionId);
    await this.#window.rpc.call('session/delete', { sessionId: session.sessionId });
    session.rpc.close();
  }

  async #allow(session: SessionView, turnId: string): Promise<void> {
    await session.until(
      () =>
        session.turn(turnId)?.closed === true || session.items('tool').some((item) => isAsking(item, turnId)),
    );
    if (session.turn(turnId)?.closed) return;
    await session.answer(this.#isDrawn(0.8) ? 'allow' : 'deny');
  }

  async #stop(session: SessionView, turnId: string): Promise<void> {
    await session.until(
      () =>
        session.turn(turnId)?.closed === true || session.items('text').some((item) => item.turnId === turnId),
    );
    await session.rpc.call('turn/stop', { sessionId: session.sessionId, turnId });
  }

  /** What people do between two messages. */
  async #sometimes(session: SessionView, turnId: string): Promise<void> {
    const { sessionId, rpc } = session;
    if (this.#isDrawn(0.02)) {
      const { session: copy } = await rpc.call('session/fork', { sessionId });
      await this.#delete(await this.#follow(copy.id));
    }
    if (this.#isDrawn(0.02)) await this.#newVersion(session, turnId);
    if (this.#isDrawn(0.01)) await rpc.call('session/export', { sessionId });
    if (this.#isDrawn(0.01)) await rpc.call('session/search', { query: 'plain words' });
    if (this.#isDrawn(0.02)) {
      this.#window.rpc.close();
      this.#window = this.#app.openWindow();
      await this.#window.rpc.call('host/subscribe', {});
    }
  }

  async #newVersion(session: SessionView, turnId: string): Promise<void> {
    const { sessionId } = session;
    const made = await session.rpc.call('turn/edit', {
      sessionId,
      turnId,
      text: `say #${String((this.turns += 1))}`,
    });
    this.promised.push({ sessionId, turnId: made.turnId });
    await within(session.closed(made.turnId), 'the end of an edited turn');
  }
}

function isAsking(item: { turnId: string; state: string; decision: unknown }, turnId: string): boolean {
  return item.turnId === turnId && item.state === 'awaiting_approval' && item.decision === null;
}
