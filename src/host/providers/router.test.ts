import { beforeEach, describe, expect, it } from 'vitest';
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import { HostRefusal } from './openai-failures.ts';
import type { ModelRequest, Provider, ReplyEvent } from './provider.ts';
import { hostAsideMs, modelAsideMs } from './router-policy.ts';
import { createRouter, type Router, type RouterHost } from './router.ts';

const counters = {
  promptTokens: null,
  cachedTokens: null,
  outputTokens: null,
  promptMs: null,
  outputMs: null,
  loadMs: null,
};
const answer = (text: string, model?: string): ReplyEvent[] => [
  { type: 'opened' },
  { type: 'text', text },
  { type: 'done', reason: 'stop', counters, ...(model !== undefined && { model }) },
];
const failing = (code: ErrorCode): AndironError => new AndironError(code, `It is ${code}.`, 'Do something.');

/** Does what it is told for a model, and remembers who was asked what. */
class Stage {
  readonly asked: string[] = [];
  readonly requests: ModelRequest[] = [];
  readonly plays = new Map<string, (ReplyEvent | Error)[]>();
  now = 1_000_000;
  changes = 0;

  host(id: string, changes: Partial<RouterHost> = {}): [string, RouterHost] {
    const provider: Provider = {
      stream: (request) => this.#play(id, request),
    };
    return [id, { name: id.toUpperCase(), provider, url: `http://${id}/v1`, ...changes }];
  }

  async *#play(id: string, request: ModelRequest): AsyncGenerator<ReplyEvent> {
    this.asked.push(`${id}/${request.model}`);
    this.requests.push(request);
    for (const step of this.plays.get(`${id}/${request.model}`) ?? answer(`from ${id}`)) {
      if (step instanceof Error) throw step;
      yield step;
    }
  }

  router(): Router {
    const clock = {
      now: () => this.now,
      monotonic: () => this.now,
      after: () => ({ cancel: () => undefined }),
    };
    const providers = new Map([
      this.host('engine', { name: 'Ollama', url: undefined, supervised: true }),
      this.host('lab'),
      this.host('attic'),
    ]);
    return createRouter({ providers, clock, onChange: () => (this.changes += 1) });
  }
}

const request: ModelRequest = {
  url: 'http://engine:11434',
  purpose: 'main',
  model: 'qwen3',
  history: { echoThinking: true, textBesideCall: true },
  mayHalveCalls: false,
  head: { system: '', tools: [] },
  messages: [],
  plan: { model: 'qwen3', options: { num_ctx: 4096 }, shift: false },
  think: undefined,
  sampling: {},
  maxOutputTokens: 10,
  timeouts: { firstTokenMs: 1, idleMs: 1 },
  candidates: [
    { host: 'lab', model: 'big' },
    { host: 'attic', model: 'small' },
  ],
};

let stage: Stage;
let router: Router;

beforeEach(() => {
  stage = new Stage();
  router = stage.router();
});

async function ask(changes: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ReplyEvent[] = [];
  try {
    for await (const event of router.stream({ ...request, ...changes }, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

const answeredBy = (events: readonly ReplyEvent[]) => events.find((event) => event.type === 'done')?.model;

describe('who answers (F9, N3)', () => {
  it('is the engine, where the request says, as long as nobody else is named', async () => {
    const { events } = await ask({ candidates: undefined });
    expect(stage.asked).toEqual(['engine/qwen3']);
    expect(stage.requests[0]?.url).toBe('http://engine:11434');
    expect(answeredBy(events)).toBe('qwen3');
  });

  it('is the host that a name begins with, as long as nobody else is named', async () => {
    const { events } = await ask({ candidates: undefined, model: 'lab/org/big' });
    expect(stage.asked).toEqual(['lab/org/big']);
    expect(stage.requests[0]).toMatchObject({ url: 'http://lab/v1', model: 'org/big' });
    expect(answeredBy(events)).toBe('lab/org/big');
  });

  it('is the first of the list, at its own address', async () => {
    const { events } = await ask();
    expect(stage.asked).toEqual(['lab/big']);
    expect(stage.requests[0]).toMatchObject({ url: 'http://lab/v1', model: 'big', plan: { model: 'big' } });
    expect(answeredBy(events)).toBe('lab/big');
  });

  it('is told by the name of the model that the host says it used', async () => {
    stage.plays.set('lab/big', answer('Hi', 'other'));
    expect(answeredBy((await ask()).events)).toBe('lab/other');
  });

  it('is the next one when a host cannot be reached, and the answer says so', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    const { events, error } = await ask();
    expect(error).toBeUndefined();
    expect(stage.asked).toEqual(['lab/big', 'attic/small']);
    expect(answeredBy(events)).toBe('attic/small');
  });

  it('is sent the history as its own template wants it', async () => {
    const history = { echoThinking: false, textBesideCall: false };
    await ask({ candidates: [{ host: 'lab', model: 'big', history }] });
    expect(stage.requests[0]?.history).toEqual(history);
  });
});

describe('nothing else answers', () => {
  it.each<[string, Error]>([
    ['a request that was refused (400)', new HostRefusal(400, 'engine_refused', 'No.', 'Change it.')],
    ['a refused key (401)', new HostRefusal(401, 'engine_refused', 'No.', 'Set it.')],
    ['too many requests (429)', new HostRefusal(429, 'engine_refused', 'No.', 'Wait.')],
    ['a conversation that is too long', new HostRefusal(400, 'context_overflow', 'No.', 'Compact.')],
    ['a silent host', failing('stream_first_token_timeout')],
    ['a bug', new TypeError('x is undefined')],
  ])('after %s', async (_name, failure) => {
    stage.plays.set('lab/big', [failure]);
    const { error } = await ask();
    expect(error).toBe(failure);
    expect(stage.asked).toEqual(['lab/big']);
    expect(router.states()).toEqual([]);
  });

  it('once the first token came, whatever happens then', async () => {
    const failure = failing('stream_cut');
    stage.plays.set('lab/big', [{ type: 'opened' }, { type: 'text', text: 'One' }, failure]);
    const { events, error } = await ask();
    expect(error).toBe(failure);
    expect(events).toContainEqual({ type: 'text', text: 'One' });
    expect(stage.asked).toEqual(['lab/big']);
  });

  it('after a stop', async () => {
    const stop = new AbortController();
    stop.abort();
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    const { error } = await ask({}, stop.signal);
    expect(error).toMatchObject({ code: 'engine_unavailable' });
    expect(stage.asked).toEqual(['lab/big']);
  });
});

describe('what failed is left aside', () => {
  it('with all its models for a while, when the host cannot be reached', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    await ask();
    await ask({
      candidates: [
        { host: 'lab', model: 'other' },
        { host: 'attic', model: 'small' },
      ],
    });
    expect(stage.asked).toEqual(['lab/big', 'attic/small', 'attic/small']);
    expect(router.states()).toEqual([
      expect.objectContaining({ host: 'lab', model: null, until: stage.now + hostAsideMs }),
    ]);
    stage.now += hostAsideMs;
    await ask();
    expect(stage.asked.slice(3)).toEqual(['lab/big', 'attic/small']);
  });

  it('alone, when the host does not have the model', async () => {
    stage.plays.set('lab/big', [new HostRefusal(404, 'model_missing', 'No big here.', 'Load it.')]);
    await ask();
    await ask({
      candidates: [
        { host: 'lab', model: 'big' },
        { host: 'lab', model: 'other' },
      ],
    });
    expect(stage.asked).toEqual(['lab/big', 'attic/small', 'lab/other']);
    stage.now += modelAsideMs - 1;
    expect(router.states()).toEqual([expect.objectContaining({ host: 'lab', model: 'big' })]);
    stage.now += 1;
    expect(router.states()).toEqual([]);
  });

  it('not at all, when the host only had no time (5xx)', async () => {
    stage.plays.set('lab/big', [new HostRefusal(503, 'engine_refused', 'Busy.', 'Wait.')]);
    const { events } = await ask();
    expect(answeredBy(events)).toBe('attic/small');
    expect(router.states()).toEqual([]);
  });

  it('until Retry', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    await ask();
    stage.plays.delete('lab/big');
    router.retry('lab');
    expect(router.states()).toEqual([]);
    expect(answeredBy((await ask()).events)).toBe('lab/big');
    expect(stage.changes).toBe(2);
  });

  it('until it answers after all', async () => {
    const lab = { host: 'lab', model: 'big' };
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    stage.plays.set('lab/other', [failing('model_missing')]);
    await ask({ candidates: [{ host: 'lab', model: 'other' }, lab] });
    stage.plays.delete('lab/big');
    await ask({ candidates: [lab] });
    expect(router.states()).toEqual([expect.objectContaining({ host: 'lab', model: 'other' })]);
    expect(answeredBy((await ask()).events)).toBe('lab/big');
  });

  it('never, where the engine watches it itself', async () => {
    stage.plays.set('engine/qwen3', [failing('engine_unavailable')]);
    const failure = await ask({ candidates: undefined });
    expect(failure.error).toMatchObject({ code: 'engine_unavailable', message: 'It is engine_unavailable.' });
    stage.plays.delete('engine/qwen3');
    expect(answeredBy((await ask({ candidates: undefined })).events)).toBe('qwen3');
    expect(router.states()).toEqual([]);
  });
});

describe('when nobody can answer', () => {
  it('tells what each of them said, first the one that was wanted', async () => {
    stage.plays.set('lab/big', [failing('model_missing')]);
    stage.plays.set('attic/small', [failing('engine_unavailable')]);
    expect((await ask()).error).toMatchObject({
      code: 'model_missing',
      message: 'LAB: It is model_missing. ATTIC: It is engine_unavailable.',
      advice: 'Do something.',
    });
  });

  it('asks what is left aside all the same, where nobody else may answer', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    const candidates = [{ host: 'lab', model: 'big' }];
    const first = await ask({ candidates });
    const second = await ask({ candidates });
    stage.plays.delete('lab/big');
    const third = await ask({ candidates });
    expect(stage.asked).toEqual(['lab/big', 'lab/big', 'lab/big']);
    expect(first.error).toMatchObject({ message: 'It is engine_unavailable.', advice: 'Do something.' });
    expect(second.error).toMatchObject({ message: 'It is engine_unavailable.', advice: 'Do something.' });
    expect(answeredBy(third.events)).toBe('lab/big');
  });

  it('asks what is left aside behind the others, and tells of it first where it was wanted first', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    await ask();
    stage.plays.set('lab/big', [failing('stream_cut')]);
    stage.plays.set('attic/small', [failing('engine_unavailable')]);
    const { error } = await ask();
    expect(stage.asked).toEqual(['lab/big', 'attic/small', 'attic/small', 'lab/big']);
    expect(error).toMatchObject({
      code: 'stream_cut',
      message: 'LAB: It is stream_cut. ATTIC: It is engine_unavailable.',
    });
  });

  it('does not ask a host that has just failed for another of its models', async () => {
    stage.plays.set('lab/big', [failing('engine_unavailable')]);
    const candidates = [
      { host: 'lab', model: 'big' },
      { host: 'lab', model: 'other' },
    ];
    const { error } = await ask({ candidates });
    expect(stage.asked).toEqual(['lab/big']);
    expect(error).toMatchObject({ message: 'It is engine_unavailable.' });
  });

  it('names a host that is not known (any more)', async () => {
    const { error } = await ask({ candidates: [{ host: 'gone', model: 'big' }] });
    expect(error).toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('gone') });
  });
});
