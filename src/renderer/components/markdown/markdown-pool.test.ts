import { describe, expect, it } from 'vitest';
import { HandClock } from '../../testing/window-kit.tsx';
import { settled } from '../../testing/fake-server.ts';
import type { Task, TaskReply, TaskWorker } from '../task-pool.ts';
import { lexMarkdown, type Lexed, type LexRequest } from './lex.ts';
import { createMarkdownPool } from './markdown-pool.ts';

type Listener = (event: { data: TaskReply<Lexed> }) => void;

/** A thread that answers when it is let, and hangs otherwise. */
class FakeWorker implements TaskWorker<LexRequest, Lexed> {
  readonly tasks: Task<LexRequest>[] = [];
  isEnded = false;
  #onMessage: Listener[] = [];
  #onError: (() => void)[] = [];

  postMessage(task: Task<LexRequest>): void {
    this.tasks.push(task);
  }

  addEventListener(type: string, listener: Listener): void {
    if (type === 'message') this.#onMessage.push(listener);
    else this.#onError.push(listener as () => void);
  }

  terminate(): void {
    this.isEnded = true;
  }

  ready(): void {
    this.#tell('ready');
  }

  answer(): void {
    const task = this.tasks.at(-1);
    if (task) this.#tell({ id: task.id, answer: lexMarkdown(task.request) });
  }

  break(): void {
    for (const listener of this.#onError) listener();
  }

  #tell(data: TaskReply<Lexed>): void {
    for (const listener of this.#onMessage) listener({ data });
  }
}

const ask = (source: string): LexRequest => ({ source, links: {}, complete: true });

function setUp() {
  const clock = new HandClock();
  const workers: FakeWorker[] = [];
  const start = (): FakeWorker => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const pool = createMarkdownPool(start, (ms, callback) => clock.after(ms, callback));
  return { clock, workers, pool };
}

describe('a pool that parses Markdown', () => {
  it('ends a worker that hangs for a second, and the next request has another worker (audit-S11)', async () => {
    const { clock, workers, pool } = setUp();
    const hanging = pool(ask('hangs'));
    const next = pool(ask('# Next'));
    workers[0]?.ready();
    expect(clock.run()).toEqual([1_000]);
    // It may have answered while the page itself was held up.
    clock.run();
    expect(await hanging).toBeNull();
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    workers[1]?.ready();
    workers[1]?.answer();
    expect((await next)?.blocks.map(({ pieces }) => pieces[0]?.token.type)).toEqual(['heading']);
  });

  it('takes an answer that has come while the page itself was held up (audit-S11)', async () => {
    const { clock, workers, pool } = setUp();
    const late = pool(ask('late'));
    workers[0]?.ready();
    clock.run();
    workers[0]?.answer();
    clock.run();
    expect(await late).not.toBeNull();
    expect(workers[0]?.isEnded).toBe(false);
  });

  it('gives a worker one request at a time, and counts its second from then (audit-S11)', async () => {
    const { clock, workers, pool } = setUp();
    const [first, second] = [pool(ask('first')), pool(ask('second'))];
    workers[0]?.ready();
    expect(workers[0]?.tasks).toHaveLength(1);
    workers[0]?.answer();
    await first;
    expect(workers[0]?.tasks).toHaveLength(2);
    expect(clock.waiting.map(({ ms }) => ms)).toEqual([1_000]);
    workers[0]?.answer();
    await second;
    expect(clock.waiting).toEqual([]);
  });

  it('lets a worker take longer to load than to parse (audit-S11)', async () => {
    const { clock, workers, pool } = setUp();
    const asked = pool(ask('a'));
    expect(workers[0]?.tasks).toEqual([]);
    expect(clock.waiting.map(({ ms }) => ms)).toEqual([10_000]);
    workers[0]?.ready();
    workers[0]?.answer();
    expect(await asked).not.toBeNull();
  });

  it('answers null where a worker breaks or cannot be started (audit-S11)', async () => {
    const { workers, pool } = setUp();
    const broken = pool(ask('a'));
    workers[0]?.break();
    expect(await broken).toBeNull();
    const none = createMarkdownPool(
      () => {
        throw new Error('There are no workers here.');
      },
      () => () => undefined,
    );
    expect(await none(ask('a'))).toBeNull();
  });

  it('drops what an ended worker still says (audit-S11)', async () => {
    const { clock, workers, pool } = setUp();
    const hanging = pool(ask('hangs'));
    workers[0]?.ready();
    clock.run();
    clock.run();
    await hanging;
    const next = pool(ask('next'));
    let isAnswered = false;
    void next.then(() => (isAnswered = true));
    workers[0]?.answer();
    await settled();
    expect(isAnswered).toBe(false);
  });
});
