import { describe, expect, test } from 'vitest';

import { reply, sequence, startSim, systemClock } from './index.ts';
import type { Reply, Sim, SimOptions } from './index.ts';

type Line = Record<string, unknown> & {
  message?: { content?: string; thinking?: string; tool_calls?: unknown[] };
};

const QWEN = 'qwen3.5:9b';
const FAST = 1000;

async function withServer<T>(options: SimOptions, use: (sim: Sim) => Promise<T>): Promise<T> {
  const sim = await startSim({ speed: FAST, clock: systemClock(10), ...options });
  try {
    const value = await use(sim);
    expect(sim.truth.failures).toEqual([]);
    return value;
  } finally {
    await sim.close();
  }
}

function post(sim: Sim, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(sim.url + path, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });
}

const ask = (content: string, more: object = {}) => ({
  model: QWEN,
  messages: [{ role: 'user', content }],
  ...more,
});

async function linesOf(response: Response): Promise<Line[]> {
  const text = await response.text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

const chat = async (sim: Sim, content: string, more: object = {}) =>
  linesOf(await post(sim, '/api/chat', ask(content, more)));
const textOf = (lines: Line[]) => lines.map((line) => line.message?.content ?? '').join('');

async function loadedModels(sim: Sim): Promise<string[]> {
  const body = (await (await fetch(`${sim.url}/api/ps`)).json()) as { models: { name: string }[] };
  return body.models.map(({ name }) => name);
}

/** Status and text of a reply that goes wrong. */
const run = (made: Reply) =>
  withServer({ script: sequence(made) }, async (sim) => {
    const response = await post(sim, '/api/chat', ask('x', { think: false }));
    const text = await response.text().catch((error: unknown) => `broken: ${String(error)}`);
    return { status: response.status, text, lines: text.split('\n').filter((line) => line !== '') };
  });

describe('Stop', () => {
  test('in the middle of a long prefill is seen at once, keeps the model and what was read, and the next message reuses it', async () => {
    await withServer(
      { script: sequence(reply().prefill(60).text('late'), reply().text('here')) },
      async (sim) => {
        const long = 'word '.repeat(3000);
        const stop = new AbortController();
        const prefill = sim.truth.next('prefill-started');
        const answer = post(sim, '/api/chat', ask(long), stop.signal).catch(() => 'closed');
        await prefill;
        await sim.truth.next('batch-evaluated');
        const idle = sim.truth.next('runner-idle');
        stop.abort();
        expect(await answer).toBe('closed');
        const { request } = await idle;
        expect(request?.outcome).toBe('closed');
        expect((request?.closeSeenAt ?? 0) - (request?.closedByClientAt ?? 0)).toBeLessThan(100);
        expect(await loadedModels(sim)).toEqual([QWEN]);
        const evaluated = request?.evaluated ?? 0;
        expect(evaluated).toBeGreaterThan(0);
        expect(evaluated).toBeLessThan(3000);

        expect(textOf(await chat(sim, long))).toBe('here');
        expect(sim.truth.last()?.cached).toBeGreaterThan(evaluated - 8);
        expect(sim.truth.loads).toHaveLength(1);
      },
    );
  });

  test('while a model loads throws the load away', async () => {
    await withServer({}, async (sim) => {
      sim.setLoad(QWEN, { seconds: 60 });
      const stop = new AbortController();
      const started = sim.truth.next('load-started');
      const answer = post(sim, '/api/chat', ask('x'), stop.signal).catch(() => 'closed');
      await started;
      const aborted = sim.truth.next('load-aborted');
      stop.abort();
      await Promise.all([aborted, answer]);
      expect(sim.truth.loads[0]?.outcome).toBe('aborted');
      expect(await loadedModels(sim)).toEqual([]);
    });
  });

  test('can cost the only slot where the script says so; unloading brings it back', async () => {
    const slow = reply().tokensPerSecond(50).text('one two three four five six seven');
    await withServer({ script: sequence(slow.loseSlot(), reply().text('fine')) }, async (sim) => {
      const stop = new AbortController();
      const lost = sim.truth.next('slot-lost');
      const token = sim.truth.next('token');
      const answer = post(sim, '/api/chat', ask('x', { think: false }), stop.signal)
        .then((response) => response.text())
        .catch(() => 'closed');
      await token;
      stop.abort();
      await Promise.all([lost, answer]);

      const waiting = new AbortController();
      const waits = sim.truth.next('slot-waiting');
      const hangs = post(sim, '/api/chat', ask('y'), waiting.signal).catch(() => 'given up');
      await waits;
      expect(await (await post(sim, '/api/generate', { model: QWEN })).json()).toMatchObject({
        done_reason: 'load',
      });
      waiting.abort();
      expect(await hangs).toBe('given up');

      const unloaded = sim.truth.next('unloaded');
      await post(sim, '/api/generate', { model: QWEN, keep_alive: 0 });
      await unloaded;
      expect(textOf(await chat(sim, 'z', { think: false }))).toBe('fine');
    });
  });
});

test('takes the slot at every second close while lines flow, where it is told to', async () => {
  const slow = reply().tokensPerSecond(50).text('one two three four five six seven');
  await withServer({ loseSlotEvery: 2, script: sequence(slow, slow) }, async (sim) => {
    const lost = sim.truth.next('slot-lost');
    // The second writes, so the first close took nothing.
    for (const text of ['x', 'y']) {
      const stop = new AbortController();
      const [token, noticed] = [sim.truth.next('token'), sim.truth.next('close-seen')];
      const answer = post(sim, '/api/chat', ask(text, { think: false }), stop.signal)
        .then((response) => response.text())
        .catch(() => 'closed');
      await token;
      stop.abort();
      await Promise.all([noticed, answer]);
    }
    expect((await lost).request?.id).toBe(2);
  });
});

describe('what goes wrong by script', () => {
  test('an error before the first token has its status and the runner’s words', async () => {
    expect(await run(reply().error(500, 'Compute error.'))).toMatchObject({
      status: 500,
      text: '{"error":"Compute error."}',
    });
  });

  test('an error in the middle is the last line', async () => {
    const { status, lines } = await run(reply().text('Half').midError('no more'));
    expect(status).toBe(200);
    expect(lines.at(-1)).toBe('{"error":"no more"}');
  });

  test('a dying runner is named, and reloaded by the next request', async () => {
    await withServer(
      { script: sequence(reply().text('Half').runnerExit(), reply().text('back')) },
      async (sim) => {
        expect((await chat(sim, 'x')).at(-1)).toEqual({
          error: 'an error was encountered while running the model: unexpected EOF',
        });
        expect(textOf(await chat(sim, 'y', { think: false }))).toBe('back');
        expect(sim.truth.loads).toHaveLength(2);
      },
    );
  });

  test('a broken connection, a bad line, an end without done, a second done', async () => {
    expect((await run(reply().text('Half').reset())).text).toContain('broken');
    expect((await run(reply().text('Half').malformed())).lines.at(-1)).toMatch(/^\{"model":"broken"/);
    expect((await run(reply().text('Half').eofWithoutDone())).text).not.toContain('"done":true');
    expect((await run(reply().text('Half').doneTwice())).text.match(/"done":true/g)).toHaveLength(2);
  });

  test('an empty reply, a reply cut by length', async () => {
    expect((await run(reply().emptyReply())).lines).toHaveLength(1);
    expect((await run(reply().text('Half').length())).lines.at(-1)).toContain('"done_reason":"length"');
  });

  test('num_predict ends a reply', async () => {
    await withServer({ script: sequence(reply().text('one two three four')) }, async (sim) => {
      const lines = await chat(sim, 'x', { think: false, options: { num_predict: 2 } });
      expect(lines.at(-1)).toMatchObject({ done_reason: 'length', eval_count: 2 });
    });
  });

  test('silence lasts until the client closes', async () => {
    await withServer({ script: sequence(reply().text('Half').hang()) }, async (sim) => {
      const stop = new AbortController();
      const token = sim.truth.next('first-token');
      const answer = post(sim, '/api/chat', ask('x', { think: false }), stop.signal).then((response) =>
        response.text(),
      );
      await token;
      const finished = sim.truth.next('request-finished', (event) => event.request?.endpoint === '/api/chat');
      stop.abort();
      await expect(answer).rejects.toThrow('aborted');
      expect((await finished).request?.outcome).toBe('closed');
    });
  });

  test('a history with a call that has no result is noted, and refused on request', async () => {
    const messages = [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', function: { name: 'look', arguments: {} } }],
      },
      { role: 'user', content: 'y' },
    ];
    await withServer({ script: sequence(reply().text('ok')), refuseUnpaired: true }, async (sim) => {
      expect((await post(sim, '/api/chat', { model: QWEN, messages })).status).toBe(400);
      expect(sim.truth.violations[0]?.text).toContain('call a of look has no result');
    });
  });
});

describe('dialects', () => {
  test('0.40 counts cached tokens in the last line, 0 being a real miss; 0.33.2 does not know them', async () => {
    await withServer({ dialect: '0.40', script: sequence(reply().text('ok')) }, async (sim) => {
      expect((await chat(sim, 'the very first words')).at(-1)).toMatchObject({ prompt_eval_cached_count: 0 });
      const again = (await chat(sim, 'the very first words')).at(-1);
      expect(again?.['prompt_eval_cached_count']).toBe(sim.truth.last()?.cached);
      expect(sim.truth.last()?.cached).toBeGreaterThan(0);
    });
    await withServer({ dialect: '0.33.2', script: sequence(reply().text('ok')) }, async (sim) => {
      expect((await chat(sim, 'x')).at(-1)).not.toHaveProperty('prompt_eval_cached_count');
    });
  });

  test('0.40 tells how a model thinks and what runs it', async () => {
    await withServer({ dialect: '0.40' }, async (sim) => {
      const shown = await (await post(sim, '/api/show', { model: QWEN })).json();
      expect(shown).toMatchObject({
        thinking: { values: [false, true], default: true },
        details: { runner: 'llamacpp' },
      });
      expect(shown).not.toHaveProperty('tensors');
      await post(sim, '/api/generate', { model: QWEN });
      expect(await (await fetch(`${sim.url}/api/ps`)).json()).toMatchObject({
        models: [{ runner: 'llamacpp' }],
      });
    });
  });

  test('a reply that repeats one token for ever ends in silence before, in an error now', async () => {
    const stuck = sequence(reply().raw(...Array.from({ length: 150 }, () => 'ha ')));
    await withServer({ dialect: '0.33.2', script: stuck }, async (sim) => {
      const lines = await chat(sim, 'x', { think: false });
      expect(lines).toHaveLength(31);
      expect(lines.at(-1)).toMatchObject({ done: false });
    });
    await withServer({ dialect: '0.40', script: stuck }, async (sim) => {
      expect((await chat(sim, 'x', { think: false })).at(-1)).toEqual({
        error: 'prediction aborted, token repeat limit reached',
      });
    });
  });

  test('unknown words for think are an error before, the default now', async () => {
    await withServer({ dialect: '0.33.2', script: sequence(reply().text('ok')) }, async (sim) => {
      expect((await post(sim, '/api/chat', ask('x', { think: 'extreme' }))).status).toBe(400);
    });
    await withServer({ dialect: '0.40', script: sequence(reply().text('ok')) }, async (sim) => {
      expect((await post(sim, '/api/chat', ask('x', { think: 'extreme' }))).status).toBe(200);
      expect((await post(sim, '/api/chat', ask('x', { think: 3 }))).status).toBe(400);
    });
  });
});

/** Whether the second of two requests is read before the first has ended. */
const both = async (model: string) =>
  withServer(
    { numParallel: 2, script: sequence(reply().tokensPerSecond(20).text('one two three four five')) },
    async (sim) => {
      await post(sim, '/api/generate', { model });
      const requests = ['a', 'b'].map(async (content) =>
        (await post(sim, '/api/chat', { model, messages: [{ role: 'user', content }] })).text(),
      );
      await Promise.all(requests);
      const [first, second] = sim.truth.requests.filter((request) => request.endpoint === '/api/chat');
      const startOfSecond = second?.phases.find(({ phase }) => phase === 'prefill')?.at ?? 0;
      return startOfSecond < (first?.runnerIdleAt ?? 0);
    },
  );

describe('slots', () => {
  test('with two slots two requests run at once, where the architecture allows', async () => {
    expect(await both('llama3.1:8b')).toBe(true);
    expect(await both(QWEN)).toBe(false);
  });
});

describe('side doors', () => {
  test('the runner tells between batches how far it is', async () => {
    await withServer({ runnerStatus: true, script: sequence(reply().prefill(3).text('ok')) }, async (sim) => {
      const answer = chat(sim, 'word '.repeat(2000));
      await sim.truth.next('batch-evaluated');
      const slots = (await (await fetch(`${sim.runnerUrl(QWEN)}/slots`)).json()) as {
        n_prompt_tokens_processed: number;
        is_processing: boolean;
      }[];
      expect(slots[0]).toMatchObject({ is_processing: true, n_prompt_tokens_cache: 0, n_ctx: 32_768 });
      expect(slots[0]?.n_prompt_tokens_processed).toBeGreaterThan(0);
      await answer;
      await sim.truth.waitFor(() => sim.truth.last()?.runnerIdleAt !== undefined);
      expect(await (await fetch(`${sim.runnerUrl(QWEN)}/slots`)).json()).toMatchObject([
        { is_processing: false },
      ]);
    });
  });

  test('another process can read the truth', async () => {
    await withServer({ sideChannel: true, script: sequence(reply().text('ok')) }, async (sim) => {
      await chat(sim, 'x');
      const truth = await (await fetch(`${sim.sideUrl}/truth`)).json();
      expect(truth).toMatchObject({
        requests: [{ endpoint: '/api/chat', outcome: 'done' }],
        loads: [{ outcome: 'loaded' }],
      });
    });
  });
});
