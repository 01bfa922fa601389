/** Floods from the model and its server: calls, nesting, sizes, lists of models. */
import { reply } from '../../../src/sim/index.ts';
import { unreadableHeads } from '../../helpers/raw-http.ts';
import { within } from '../../helpers/waiting.ts';
import type { SessionView } from '../../helpers/host-world.ts';
import type { Body } from './flood-engine.ts';
import type { Stage } from './stage.ts';

export interface Flood {
  name: string;
  /** Resolves when the app is through with it, in a few words how: a flood that never came in proves nothing. */
  run: (stage: Stage) => Promise<string>;
}

const kB = 1024;
const MB = 1024 * kB;

type Message = Record<string, unknown>;
const line = (message: Message, done = false): string =>
  `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, done, ...(done && { done_reason: 'stop' }) })}\n`;
const end = line({}, true);

const calls = (count: number, args: unknown = { path: 'notes.txt' }): Message => ({
  tool_calls: Array.from({ length: count }, () => ({ function: { name: 'read_file', arguments: args } })),
});
/** Lists in lists, without building them. */
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** The model server answers every question of one turn like this. */
function chat(name: string, body: Body): Flood {
  return {
    name,
    async run({ engine, session }) {
      engine.flood('/api/chat', body);
      try {
        const view = await session();
        return await outcome(view, name);
      } finally {
        engine.flood('/api/chat', null);
      }
    },
  };
}

/** One reply with something in it, then words. */
function once(name: string, first: string): Flood {
  return {
    name,
    async run({ engine, session }) {
      let asked = 0;
      engine.flood('/api/chat', () => {
        asked += 1;
        return asked === 1 ? [first, end] : [line({ content: 'That is all.' }), end];
      });
      try {
        const view = await session();
        return await outcome(view, name);
      } finally {
        engine.flood('/api/chat', null);
      }
    },
  };
}

/** What Ollama tells of itself, asked for anew. */
function list(path: string, name: string, body: Body, status = 200): Flood {
  return {
    name,
    async run({ engine, app }) {
      engine.flood(path, body, status);
      const began = performance.now();
      let tookMs: number;
      try {
        await within(app.refresh(), `the refresh: ${name}`);
        tookMs = performance.now() - began;
      } finally {
        engine.flood(path, null);
      }
      await within(app.refresh(), `the refresh after: ${name}`);
      return `refreshed in ${(tookMs / 1_000).toFixed(1)} s`;
    },
  };
}

/** The head of an answer that none can be: of a chat, and of what Ollama tells of itself, and both work afterwards. */
function head(what: string, bytes: string): Flood {
  return {
    name: `${what} in the place of an answer`,
    async run({ engine, app, session }) {
      const paths = ['/api/chat', '/api/version', '/api/tags', '/api/ps', '/api/show'];
      const view = await session();
      const whole = bytes === '' ? '' : `HTTP/1.1 ${bytes}\r\n\r\n{}`;
      let told: string;
      try {
        engine.floodHead('/api/chat', whole);
        told = await outcome(view, what);
        for (const path of paths) engine.floodHead(path, whole);
        await within(app.refresh(), `the refresh: ${what}`);
      } finally {
        for (const path of paths) engine.floodHead(path, null);
      }
      await within(app.refresh(), `the refresh after: ${what}`);
      return told;
    },
  };
}

/** Asks, and tells how the turn ended: its status, its calls and the code of its error. */
export async function outcome(view: SessionView, name: string): Promise<string> {
  const turn = await within(view.ask('Go on.'), `the end of the turn: ${name}`);
  view.rpc.close();
  return ended(view, turn.status);
}

export function ended(view: SessionView, status: string): string {
  const calls = view.items('tool');
  const [error] = view.items('error');
  const states = [...Map.groupBy(calls, ({ state }) => state)].map(
    ([state, all]) => `${String(all.length)} ${state}`,
  );
  return [status, ...states, ...(error ? [error.code] : [])].join(', ');
}

function* repeated(piece: string, count: number, before = '', after = ''): Generator<string> {
  if (before) yield before;
  for (let index = 0; index < count; index += 1) yield piece;
  if (after) yield after;
}
const filler = 'x'.repeat(64 * kB);
const models = (count: number, name: (index: number) => string): string =>
  JSON.stringify({
    models: Array.from({ length: count }, (_, index) => ({
      name: name(index),
      model: name(index),
      size: 1,
      digest: String(index).padStart(64, '0'),
      modified_at: '2026-01-01T00:00:00Z',
      details: { family: 'x', parameter_size: '1B', quantization_level: 'Q4' },
    })),
  });

export const engineFloods: readonly Flood[] = [
  once('33 calls in a reply', line(calls(33))),
  once('1,000 calls in a reply', line(calls(1_000))),
  once('20,000 calls in a reply', line(calls(20_000))),
  once('4,000 calls on lines of their own', Array.from({ length: 4_000 }, () => line(calls(1))).join('')),
  once(
    '2,000 calls written as text',
    line({
      content: '<tool_call>{"name":"read_file","arguments":{"path":"notes.txt"}}</tool_call>\n'.repeat(2_000),
    }),
  ),
  once(
    '2,000 calls of tools that do not exist',
    line({
      tool_calls: Array.from({ length: 2_000 }, (_, index) => ({
        function: { name: `x${String(index)}`, arguments: {} },
      })),
    }),
  ),
  once(
    'a tool name of 4 MB',
    line({ tool_calls: [{ function: { name: 'x'.repeat(4 * MB), arguments: {} } }] }),
  ),
  once(
    'a call with 100,000 arguments',
    line(calls(1, Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${String(n)}`, n])))),
  ),
  once('a call with an argument of 16 MB', line(calls(1, { path: 'x'.repeat(16 * MB) }))),
  once('arguments nested 60 deep', line(calls(1, JSON.parse(nested(60))))),
  once(
    'arguments nested 5,000 deep',
    line(calls(1)).replace('{"path":"notes.txt"}', `{"path":${nested(5_000)}}`),
  ),
  once(
    'arguments nested 1,000,000 deep',
    line(calls(1)).replace('{"path":"notes.txt"}', `{"path":${nested(1_000_000)}}`),
  ),
  once('a text nested 1,000,000 deep', line({ content: nested(1_000_000) })),
  once('a line nested 1,000,000 deep', `${nested(1_000_000)}\n`),
  chat('one line of 200 MB', () => repeated(filler, 3_200, '{"message":{"content":"')),
  chat('a reply of 200 MB on lines of 64 kB', () => repeated(line({ content: filler }), 3_200, '', end)),
  chat('thinking of 100 MB', () => repeated(line({ thinking: filler }), 1_600, '', end)),
  chat('300,000 lines of one letter', () => repeated(line({ content: 'x' }).repeat(100), 3_000, '', end)),
  chat('300,000 lines that say nothing', () => repeated(line({}).repeat(100), 3_000, '', end)),
  chat('5 million empty lines', () => repeated('\n'.repeat(64 * kB), 80, '', end)),
  chat('random bytes', () => repeated('\u0000\uFFFD{"\\x', 10_000)),
  chat('an error of 50 MB in a line', () => repeated(filler, 800, '{"error":"', '"}\n')),
  list('/api/version', 'a version of 300 MB', () => repeated(filler, 4_800, '{"version":"', '"}')),
  list('/api/tags', 'a list of models of 300 MB', () => repeated(filler, 4_800, '{"models":["', '"]}')),
  list('/api/ps', 'a list of loaded models of 300 MB', () => repeated(filler, 4_800, '{"models":["', '"]}')),
  list('/api/show', 'facts of a model of 300 MB', () => repeated(filler, 4_800, '{"template":"', '"}')),
  list('/api/tags', 'an error of 300 MB', () => repeated(filler, 4_800), 500),
  list('/api/tags', 'models nested 100,000 deep', () => [`{"models":${nested(100_000)}}`]),
  list('/api/tags', '20,000 models', () => [models(20_000, (index) => `model-${String(index)}:latest`)]),
  list('/api/tags', '2,000 models with names of 4 kB', () => [
    models(2_000, (index) => `${'n'.repeat(4 * kB)}${String(index)}`),
  ]),
  list('/api/tags', 'models with names of control signs', () => [
    models(500, (index) => `\u001b[2J\u202e\u0000../${String(index)}`),
  ]),
  ...unreadableHeads.map(([what, bytes]) => head(what, bytes)),
  {
    name: 'a reply that repeats itself without end',
    async run(stage) {
      stage.sim.setScript(() => reply().text('and so on and on, '.repeat(20_000)));
      return outcome(await stage.session(), 'a loop');
    },
  },
  {
    name: 'calls without end, step after step',
    async run({ sim, session }) {
      sim.setScript(({ results }) =>
        reply().toolCall('read_file', { path: 'notes.txt', first_line: results.length + 1 }),
      );
      const view = await session();
      return outcome(view, 'calls without end');
    },
  },
];
