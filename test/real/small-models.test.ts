/** What small models and their engine make hard, on the smallest models of a real Ollama: names, circles and refusals. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createConstrainedReader } from '../../src/host/loop/calls/constrained-reader.ts';
import { replySchema } from '../../src/host/loop/calls/constrained.ts';
import { createOllamaProvider } from '../../src/host/providers/ollama.ts';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { ownTools } from '../bench/real/own-tools.ts';
import { WireTap, type Passed } from '../bench/real/wire-tap.ts';
import { House, type SessionView } from '../helpers/host-world.ts';
import { plainRequest } from '../helpers/openai-asking.ts';
import { realEngine } from './real-engine.ts';

const engine = await realEngine();
const contextTokens = 4096;

const makeNames: ((nth: number) => string)[] = [
  (nth) => `a-b-${String(nth)}.txt`,
  (nth) => `notes [${String(nth)}] (final).md`,
  (nth) => `it's "number ${String(nth)}".txt`,
  (nth) => `.hidden..v${String(nth)}.tar.gz`,
  (nth) => `two  spaces ${String(nth)} .txt`,
  (nth) => `отчёт за ${String(nth)} год.txt`,
  (nth) => `🔥 hot-${String(nth)} 👩‍🚒.md`,
  (nth) => `back\\slash{${String(nth)}}.js`,
  (nth) => `^start$|${String(nth)}+*?.csv`,
  (nth) => `日本語-${String(nth)}\u0301.txt`,
];
const names = Array.from({ length: 50 }, (_, nth) => makeNames[nth % makeNames.length]?.(nth) ?? '');

/** A turn may begin by loading the model and reading its whole prompt on a CPU. */
const profile = { contextTokens, sampling: { temperature: 0 }, maxIterations: 3, firstTokenTimeoutS: 600 };

async function openOn(house: House, model: string, changes: object = {}): Promise<SessionView> {
  const session = await house.openSession();
  const { rpc, sessionId } = session;
  await rpc.call('profile/update', { profileId: 'developer', changes: { ...profile, ...changes } });
  await rpc.call('session/update', { sessionId, model });
  return session;
}

const sentSchema = z.object({ format: z.unknown().optional() });
/** Questions about the template alone are not among them. */
const chatsIn = (tap: WireTap): Passed[] =>
  tap.take().filter(({ path, body }) => path === '/api/chat' && !body.includes('"_debug_render_only":true'));
const formatOf = ({ body }: Passed): string =>
  JSON.stringify(sentSchema.parse(JSON.parse(body)).format ?? null);

/** What is kept of how models call. */
function keptOfCalling({ dir }: House): unknown[] {
  const database = openDatabase(join(dir, 'data', 'andiron.db'));
  try {
    return database
      .query<[], unknown>("SELECT * FROM model_facts WHERE key = 'calling' ORDER BY 1", z.unknown())
      .all();
  } finally {
    database.close();
  }
}

// A model that is read and written on a CPU may be asked three times.
describe.each(engine.smallest)('%s', { timeout: 600_000 }, (model) => {
  test('takes a grammar with 50 awkward names of files, and names one of them to the letter (audit-E1)', async () => {
    const readFile = ownTools().get('read_file');
    if (!readFile) throw new Error('There is no read_file.');
    const format = replySchema({
      tools: [readFile],
      mayCall: true,
      mayAnswer: false,
      values: (_tool, argument) => (argument === 'path' ? names : undefined),
      simplified: true,
    });
    for (const name of names) expect(JSON.stringify(format)).toContain(JSON.stringify(name));
    const provider = createOllamaProvider({ clock: systemClock });
    for (const wanted of [names[6], names[21], names[35]]) {
      const request = plainRequest(engine.url, {
        model,
        messages: [{ role: 'user', content: `Read the file ${wanted ?? ''}` }],
        plan: { model, options: { num_ctx: contextTokens }, shift: false },
        sampling: { temperature: 0 },
        timeouts: { firstTokenMs: 170_000, idleMs: 60_000 },
        maxOutputTokens: 200,
        format,
      });
      const reader = createConstrainedReader();
      for await (const event of provider.stream(request, new AbortController().signal))
        if (event.type === 'text') reader.push(event.text);
      const read = reader.end();
      expect(read).toMatchObject({ type: 'call', name: 'read_file' });
      expect(names).toContain(read.type === 'call' ? read.args['path'] : null);
    }
  });

  test('that runs in circles is cut, and answers the next message (audit-E4)', async () => {
    const tap = await WireTap.start(engine.url);
    const house = await House.open(tap.url);
    try {
      const session = await openOn(house, model, { tools: [], planningEnabled: false });
      const turn = await session.ask(
        `Go on with this text, and do not stop:\n\n${'The lamp is on the shelf. '.repeat(60)}`,
      );
      expect(turn.status).toBe('finished');
      expect(session.items('note').map(({ text }) => text)).toContain(
        'The reply ran in circles, so it was cut.',
      );
      expect(session.items('text')[0]?.text).toMatch(/^The lamp is on the shelf\.(?: The lamp|$)/);
      expect(session.items('text')[0]?.text.length).toBeLessThan(200);
      const [circle] = chatsIn(tap);
      expect(circle?.answer).not.toContain('"done":true');
      expect(circle?.answer.split('\n').length).toBeLessThan(600);
      const next = await session.ask('What is two and two?');
      expect(next.status).toBe('finished');
      expect(next.usage.length).toBeGreaterThan(0);
    } finally {
      await house.close();
      await tap.close();
    }
  });

  test('is asked under a grammar again after the engine refused one, and nothing is learnt of it (audit-E2)', async () => {
    let refused = 0;
    // The engine takes no hyphen behind a backslash, and says so in its own words.
    const refusable = { type: 'object', properties: { a: { type: 'string', pattern: '^a\\-b$' } } };
    const tap = await WireTap.start(engine.url, ({ path, body }) => {
      if (path !== '/api/chat' || refused > 0 || !body.includes('"format"')) return body;
      refused += 1;
      return JSON.stringify({ ...(JSON.parse(body) as object), format: refusable });
    });
    const house = await House.open(tap.url, { files: { 'a-b.txt': 'The lamp is on the shelf.\n' } });
    try {
      const session = await openOn(house, model, { calls: 'constrained', planningEnabled: false });
      const before = keptOfCalling(house);
      const turn = await session.ask('What does a-b.txt say?');
      expect(refused).toBe(1);
      expect(turn.status).not.toBe('failed');
      const [first, narrower] = chatsIn(tap).map(formatOf);
      expect(first).not.toBe('null');
      expect(narrower).not.toBe(first);
      expect(house.engine.state().incidents).toContainEqual(
        expect.objectContaining({ kind: 'refused_grammar', model }),
      );
      expect(keptOfCalling(house)).toEqual(before);

      const again = await openOn(house, model, { calls: 'constrained', planningEnabled: false });
      await again.ask('What does a-b.txt say?');
      expect(chatsIn(tap).map(formatOf)[0]).toBe(first);
    } finally {
      await house.close();
      await tap.close();
    }
  });
});
