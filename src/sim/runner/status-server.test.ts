import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { reply, sequence, startSim } from '../index.ts';

const tokens = z.number().int();
const rowSchema = z.object({
  is_processing: z.boolean(),
  n_prompt_tokens: tokens,
  n_prompt_tokens_processed: tokens,
  n_prompt_tokens_cache: tokens,
});
type Row = z.infer<typeof rowSchema>;

/** With full attention: other memories also stop where they take checkpoints. */
const model = 'llama3.1:8b';
const numBatch = 256;

/**
 * Where the account of one prefill is not as it should be: what is held is what was found and what was read, in whole
 * batches until the last, and after the task nothing was found.
 */
function oddities(rows: readonly Row[]): string[] {
  const busy = rows.slice(0, -1);
  const last = rows.at(-1);
  const [first] = busy;
  const end = busy.at(-1);
  if (!first || !end || !last || busy.length < 5) return ['too few rows'];
  const odd = busy.flatMap((row, index) => {
    const { n_prompt_tokens: held, n_prompt_tokens_processed: read, n_prompt_tokens_cache: found } = row;
    const whole = row === end || read % numBatch === 0;
    const grows = read > (busy[index - 1]?.n_prompt_tokens_processed ?? 0);
    const isRight = row.is_processing && held === found + read && found === first.n_prompt_tokens_cache;
    return isRight && whole && grows ? [] : JSON.stringify(row);
  });
  const hasEnded = !last.is_processing && last.n_prompt_tokens_cache === 0;
  const keeps = last.n_prompt_tokens_processed === end.n_prompt_tokens_processed;
  const wrote = last.n_prompt_tokens > end.n_prompt_tokens;
  return hasEnded && keeps && wrote ? odd : [...odd, JSON.stringify(last)];
}

async function slotsOf(url: string): Promise<unknown[]> {
  return z.array(z.unknown()).parse(await (await fetch(`${url}/slots`)).json());
}

test('during prefill the runner answers after each batch, and afterwards nothing was found in its cache', async () => {
  const script = sequence(reply().text('one two three four'));
  const sim = await startSim({ speed: 10, script, runnerStatus: true });
  try {
    sim.setLoad(model, { seconds: 0 });
    const options = { num_ctx: 8_192, num_batch: numBatch };
    const post = async (path: string, body: object) =>
      (
        await fetch(sim.url + path, { method: 'POST', body: JSON.stringify({ model, options, ...body }) })
      ).text();
    await post('/api/generate', {});
    const url = sim.runnerUrl(model) ?? '';
    expect(await slotsOf(url)).toEqual([{ id: 0, n_ctx: 8_192, speculative: false, is_processing: false }]);

    const begun = sim.truth.next('batch-evaluated');
    const messages = [{ role: 'user', content: 'word '.repeat(2_500) }];
    const answered = post('/api/chat', { messages });
    await begun;
    const rows: Row[] = [];
    for (let isBusy = true; isBusy;) {
      const row = rowSchema.parse((await slotsOf(url))[0]);
      const inPrefill = sim.truth.last()?.generated === 0;
      if (inPrefill && row.n_prompt_tokens_processed !== rows.at(-1)?.n_prompt_tokens_processed)
        rows.push(row);
      isBusy = row.is_processing;
    }
    await answered;
    await sim.truth.waitFor((truth) => truth.last()?.runnerIdleAt !== undefined);
    const after = rowSchema.parse((await slotsOf(url))[0]);
    expect(oddities([...rows, after])).toEqual([]);
  } finally {
    await sim.close();
  }
});

/** Of the simulated machine: a second of its own passes in a tenth of one. */
const speed = 10;

/** A prompt of 20,000 tokens whose client leaves early, its runner asked without a pause or left alone. */
async function readThoughGone(isAsked: boolean): Promise<{ evaluated: number; maxPauseMs: number }> {
  const script = sequence(reply().text('nobody reads this'));
  const sim = await startSim({ speed, script, runnerStatus: true });
  try {
    sim.setLoad(model, { seconds: 0 });
    const options = { num_ctx: 32_768, num_batch: numBatch };
    const body = { model, options, messages: [{ role: 'user', content: 'word '.repeat(20_000) }] };
    const client = new AbortController();
    const begun = sim.truth.next('batch-evaluated');
    const left = fetch(`${sim.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: client.signal,
    }).catch(() => undefined);
    await begun;
    const url = sim.runnerUrl(model) ?? '';
    const isOver = (): boolean => sim.truth.last()?.runnerIdleAt !== undefined;
    let maxPauseMs = 0;
    let answeredAt = performance.now();
    const ask = async (): Promise<void> => {
      await slotsOf(url);
      maxPauseMs = Math.max(maxPauseMs, (performance.now() - answeredAt) * speed);
      answeredAt = performance.now();
    };
    if (isAsked) await ask();
    client.abort();
    await left;
    if (isAsked) while (!isOver()) await ask();
    await sim.truth.waitFor(isOver);
    return { evaluated: sim.truth.last()?.evaluated ?? 0, maxPauseMs };
  } finally {
    await sim.close();
  }
}

test('a runner that is left alone soon looks for its peer', async () => {
  const { evaluated } = await readThoughGone(false);
  expect(evaluated).toBeLessThan(15_000);
});

test('a runner that is asked all the time never looks for its peer, and reads for nobody to the end', async () => {
  for (;;) {
    const { evaluated, maxPauseMs } = await readThoughGone(true);
    if (evaluated > 20_000) return;
    // A busy machine asked too late, so it had its second; what the two clocks differ by is far less than half of one.
    expect(maxPauseMs).toBeGreaterThan(500);
  }
});

const records = `${process.env['ENGINE_TRUTH'] ?? '../shared/engine-truth'}/slots.json`;
test.skipIf(!existsSync(records))('the real runner does so (engine-truth/slots.json)', () => {
  const { rows } = z.object({ rows: z.array(rowSchema) }).parse(JSON.parse(readFileSync(records, 'utf8')));
  expect(oddities(rows)).toEqual([]);
});
