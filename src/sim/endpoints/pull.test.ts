import { expect, test } from 'vitest';

import { DISK_FULL, startSim, type PullFault, type Sim, type SimOptions } from '../index.ts';

const MODEL = 'gemma4:8b';
const BYTES = 2_000_000;
/** Over all layers: the model and three small ones. */
const ALL_BYTES = BYTES + 11_000 + 5_500 + 2_750;
const offer = { name: MODEL, family: 'gemma4-small', bytes: BYTES, bytesPerSecond: 40e6 } as const;

interface Line {
  status?: string;
  digest?: string;
  total?: number;
  completed?: number;
  error?: string;
}

async function withLibrary(use: (sim: Sim) => Promise<void>, options: SimOptions = {}): Promise<void> {
  const sim = await startSim({ speed: 1000, models: [], pullable: [offer], ...options });
  try {
    await use(sim);
    expect(sim.truth.failures).toEqual([]);
  } finally {
    await sim.close();
  }
}

function send(sim: Sim, path: string, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(sim.url + path, { method: 'POST', body: JSON.stringify(body), ...init });
}

async function pull(sim: Sim, model = MODEL): Promise<Line[]> {
  const text = await (await send(sim, '/api/pull', { model })).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function installed(sim: Sim): Promise<string[]> {
  const { models } = (await (await fetch(`${sim.url}/api/tags`)).json()) as { models: { name: string }[] };
  return models.map(({ name }) => name);
}

/** Reads until so many bytes of the model are there, then closes. */
async function pullUntil(sim: Sim, bytes: number): Promise<number> {
  const controller = new AbortController();
  const closed = sim.truth.next('request-finished', ({ request }) => request?.outcome === 'closed');
  const response = await send(sim, '/api/pull', { model: MODEL }, { signal: controller.signal });
  let completed = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    completed = Math.max(0, ...[...text.matchAll(/"completed":(\d+)/g)].map((match) => Number(match[1])));
    if (completed >= bytes) break;
  }
  controller.abort();
  await closed;
  return completed;
}

test('a pull tells its statuses in order, and then the model is installed and can be loaded', async () => {
  await withLibrary(async (sim) => {
    const lines = await pull(sim);
    const statuses = [...new Set(lines.map(({ status }) => status?.replace(/ [0-9a-f]{12}$/, ' layer')))];
    expect(statuses).toEqual([
      'pulling manifest',
      'pulling layer',
      'verifying sha256 digest',
      'writing manifest',
      'success',
    ]);
    const digests = new Set(lines.flatMap(({ digest }) => digest ?? []));
    expect(digests.size).toBe(4);
    expect(lines.findLast(({ total }) => total === BYTES)?.completed).toBe(BYTES);
    expect(await installed(sim)).toEqual([MODEL]);
    const loaded = await (await send(sim, '/api/generate', { model: MODEL })).json();
    expect(loaded).toMatchObject({ done_reason: 'load' });
  });
});

test('zero bytes are left out, as Go does', async () => {
  await withLibrary(async (sim) => {
    const first = (await pull(sim)).find(({ total }) => total === BYTES);
    expect(first).not.toHaveProperty('completed');
  });
});

test('what came before a close is there when the next pull begins', async () => {
  await withLibrary(
    async (sim) => {
      const before = await pullUntil(sim, BYTES / 4);
      expect(await installed(sim)).toEqual([]);
      const resumed = (await pull(sim)).find(({ total }) => total === BYTES);
      expect(resumed?.completed).toBeGreaterThanOrEqual(before);
    },
    { pullable: [{ ...offer, bytesPerSecond: 4e6 }] },
  );
});

test('two pulls share one download: the second sees what the first has, and goes on when it leaves', async () => {
  await withLibrary(
    async (sim) => {
      const first = pullUntil(sim, BYTES / 2);
      await sim.truth.next('headers-sent');
      const second = pull(sim);
      const atClose = await first;
      const told = (await second)
        .filter(({ total }) => total === BYTES)
        .map(({ completed = 0 }) => completed);
      expect(told.at(-1)).toBe(BYTES);
      // Alone it would have begun at nothing when the other one had half.
      expect(told.filter((bytes) => bytes < atClose).length).toBeGreaterThan(0);
      expect(await installed(sim)).toEqual([MODEL]);
    },
    { pullable: [{ ...offer, bytesPerSecond: 8e6 }] },
  );
});

test('a model that is there is pulled again without a download', async () => {
  await withLibrary(async (sim) => {
    await pull(sim);
    const again = (await pull(sim)).filter(({ total }) => total !== undefined);
    expect(again).toHaveLength(4);
    expect(again.every(({ total, completed }) => total === completed)).toBe(true);
  });
});

test.each<[string, PullFault, (lines: Line[]) => void]>([
  [
    'an error line',
    { kind: 'error', atByte: 500_000, text: DISK_FULL },
    (lines) => expect(lines.at(-1)).toEqual({ error: DISK_FULL }),
  ],
  [
    'bytes that have to come again',
    { kind: 'rollback', atByte: 1_000_000, bytes: 400_000 },
    (lines) => {
      const completed = lines.filter(({ total }) => total === BYTES).map((line) => line.completed ?? 0);
      expect(completed).toContain(1_000_000);
      expect(completed.some((bytes, index) => bytes < (completed[index - 1] ?? 0))).toBe(true);
      expect(lines.at(-1)).toEqual({ status: 'success' });
    },
  ],
  [
    'a line in a later layer',
    { kind: 'line', atByte: ALL_BYTES - 2_750, text: '{"status":"odd"}' },
    (lines) => expect(lines.map(({ status }) => status)).toContain('odd'),
  ],
])('a pull can meet %s, once', async (_, fault, check) => {
  await withLibrary(async (sim) => {
    sim.failPulls(MODEL, [fault]);
    check(await pull(sim));
    expect((await pull(sim)).at(-1)).toEqual({ status: 'success' });
  });
});

test('a connection that is cut at a byte keeps exactly that many', async () => {
  await withLibrary(async (sim) => {
    sim.failPulls(MODEL, [{ kind: 'cut', atByte: 700_001 }]);
    await expect(pull(sim)).rejects.toThrow('terminated');
    const resumed = (await pull(sim)).find(({ total }) => total === BYTES);
    expect(resumed?.completed).toBe(700_001);
  });
});

test('a stalled pull says nothing more until the client leaves', async () => {
  await withLibrary(async (sim) => {
    sim.failPulls(MODEL, [{ kind: 'stall', atByte: 800_000 }]);
    expect(await pullUntil(sim, 800_000)).toBe(800_000);
    expect(sim.truth.last('/api/pull')?.outcome).toBe('closed');
  });
});

test('an unknown model is an error in the stream, and status 500 without one', async () => {
  await withLibrary(async (sim) => {
    const error = 'pull model manifest: file does not exist';
    expect(await pull(sim, 'nope')).toEqual([{ status: 'pulling manifest' }, { error }]);
    const whole = await send(sim, '/api/pull', { model: 'nope', stream: false });
    expect(whole.status).toBe(500);
    expect(await whole.json()).toEqual({ error });
  });
});

test('a runner that nobody knows is refused by newer servers', async () => {
  const body = { model: MODEL, runner: 'other' };
  await withLibrary(async (sim) => {
    const refused = await send(sim, '/api/pull', body);
    expect([refused.status, await refused.json()]).toEqual([400, { error: 'unknown runner "other"' }]);
  });
  await withLibrary(async (sim) => expect((await send(sim, '/api/pull', body)).status).toBe(200), {
    dialect: '0.33.2',
  });
});

test('without a stream the one answer comes at the end', async () => {
  await withLibrary(async (sim) => {
    const whole = await send(sim, '/api/pull', { name: MODEL, stream: false });
    expect(await whole.json()).toEqual({ status: 'success' });
    expect(await installed(sim)).toEqual([MODEL]);
  });
});

test('a deleted model is gone, and its next pull begins at nothing', async () => {
  await withLibrary(async (sim) => {
    await pull(sim);
    const deleted = await send(sim, '/api/delete', { model: MODEL }, { method: 'DELETE' });
    expect([deleted.status, await deleted.text()]).toEqual([200, '']);
    expect(await installed(sim)).toEqual([]);
    expect((await pull(sim)).find(({ total }) => total === BYTES)).not.toHaveProperty('completed');
  });
});

test('suggestions are refused while the cloud is off, and listed otherwise', async () => {
  const path = '/api/experimental/model-recommendations';
  await withLibrary(async (sim) => {
    const refused = await fetch(sim.url + path);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('ollama cloud is disabled: ');
  });
  const suggestion = { model: 'gemma4', description: 'Fast.', vram_bytes: 12e9 };
  await withLibrary(
    async (sim) => {
      expect(await (await fetch(sim.url + path)).json()).toEqual({ recommendations: [suggestion] });
      expect(await (await fetch(`${sim.url}/api/status`)).json()).toEqual({
        cloud: { disabled: false, source: 'none' },
      });
    },
    { recommendations: [suggestion] },
  );
});
