/** What an engine can do wrong while a message is being answered, each with what the person is told. */
import { refusals } from './engine-refusals.ts';
import { reply, type Reply, type SimOptions } from '../../src/sim/index.ts';
import type { Fault, Run } from './faulty-engine.ts';

export const half = (): Reply => reply().text('Half an ans');
/** Longer than any engine lets it go on. */
const stuck = (before: string): Reply =>
  reply().raw(`</think>${before}`, ...Array.from({ length: 150 }, () => 'ha '));
const times = (count: number, made: () => Reply): Reply[] => Array.from({ length: count }, made);

const modelAsked = ({ world }: Run): Promise<void> =>
  world.sim.truth.waitFor((truth) => truth.last()?.phases.at(-1)?.phase === 'prefill');
export const modelSaid = ({ session }: Pick<Run, 'session'>, text: string): Promise<void> =>
  session.until(({ items }) => items.some((item) => item.kind === 'text' && item.text.includes(text)));

async function silence(run: Run): Promise<void> {
  await modelAsked(run);
  run.clock.skip(600_000);
}

async function silenceAfterHalf(run: Run): Promise<void> {
  await modelSaid(run, 'Half an ans');
  run.clock.skip(61_000);
}

export const streams: Fault[] = [
  {
    fault: 'a line that is not JSON',
    engine: [half().malformed()],
    status: 'failed',
    code: 'stream_broken',
    message: /not JSON/,
    kept: ['Half an ans'],
  },
  {
    fault: 'bytes that are not UTF-8',
    engine: [half().badBytes()],
    status: 'failed',
    code: 'stream_broken',
    message: /not UTF-8/,
    kept: ['Half an ans'],
  },
  {
    fault: 'characters split between packets',
    engine: [reply().text('Grüße 🔥 日本').splitBytes()],
    status: 'finished',
    kept: ['Grüße 🔥 日本'],
  },
  {
    fault: 'a line of 20 MB',
    engine: [half().hugeLine()],
    status: 'failed',
    code: 'stream_broken',
    message: /far more than the 8,192 tokens/,
    kept: ['Half an ans'],
  },
  {
    fault: 'an error line in the middle',
    engine: [half().midError('something went wrong')],
    status: 'failed',
    code: 'engine_refused',
    message: /in the middle of the answer: something went wrong/,
    kept: ['Half an ans'],
  },
  {
    fault: 'an end without done',
    engine: [half().eofWithoutDone()],
    status: 'finished',
    note: /cut off\. Asked again/,
    kept: ['Half an ans'],
  },
  {
    fault: 'an end without done, again and again',
    engine: times(6, () => half().eofWithoutDone()),
    status: 'failed',
    code: 'stream_cut',
    message: /without saying that it was done/,
    note: /cut off/,
    kept: ['Half an ans'],
  },
  {
    fault: 'one token over and over, ended without a word',
    engine: [stuck('The sum: ')],
    sim: { dialect: '0.33.2' },
    status: 'finished',
    note: /ran in circles/,
    kept: ['The sum: ha'],
  },
  {
    fault: 'one token over and over, ended with an error',
    engine: [stuck('The sum: ')],
    sim: { dialect: '0.40' },
    status: 'finished',
    note: /ran in circles/,
    kept: ['The sum: ha'],
  },
  {
    fault: 'nothing but one token, ended without a word',
    engine: [stuck('')],
    sim: { dialect: '0.33.2' },
    status: 'finished',
    note: /circles, so it was cut\.\nThe reply ran in circles/,
  },
  {
    fault: 'done twice',
    engine: [reply().text('Once.').doneTwice()],
    status: 'finished',
    kept: ['Once.'],
  },
  {
    fault: 'a connection reset before the first line',
    engine: [reply().reset()],
    status: 'finished',
    note: /cut off\. Asked again/,
  },
  {
    fault: 'a connection reset in the middle',
    engine: [half().reset()],
    status: 'finished',
    note: /cut off\. Asked again/,
    kept: ['Half an ans'],
  },
  {
    fault: 'a connection reset again and again',
    engine: times(6, () => half().reset()),
    status: 'failed',
    code: 'stream_cut',
    message: /connection to Ollama broke/,
    note: /cut off/,
    kept: ['Half an ans'],
  },
  {
    fault: 'headers that never come',
    engine: [reply().hang()],
    meanwhile: silence,
    status: 'failed',
    code: 'stream_first_token_timeout',
    message: /limit for the first token/,
    advice: /raise the limit/,
  },
  {
    fault: 'silence in the middle',
    engine: [half().hang()],
    meanwhile: silenceAfterHalf,
    status: 'failed',
    code: 'stream_idle_timeout',
    message: /limit between tokens/,
    kept: ['Half an ans'],
  },
  {
    fault: 'a trickle of lines that say nothing',
    engine: [half().trickle()],
    meanwhile: silenceAfterHalf,
    status: 'failed',
    code: 'stream_idle_timeout',
    kept: ['Half an ans'],
  },
  {
    fault: 'a trickle that is slow, but within the limit',
    engine: [reply().text('Half').pause(150).text(' and half')],
    meanwhile: async (run) => {
      await modelSaid(run, 'Half');
      run.clock.skip(59_000);
    },
    status: 'finished',
    kept: ['Half and half'],
  },
  {
    fault: 'an empty answer',
    engine: [reply().emptyReply()],
    status: 'finished',
    note: /was empty\. Asked again/,
  },
];

/** The half of it is a command too, and another one. */
export const longCommand = { command: 'rm -r build/cache/of/an/old/release/that/nobody/needs/any/more' };
const args = {
  path: 'long.txt',
  content: 'one two three four five six seven eight nine ten '.repeat(8),
};
export const gemma: SimOptions = { models: [{ name: 'gemma4:8b', family: 'gemma4-small' }] };
const goTemplate: SimOptions = {
  models: [{ name: 'qwen2.5:7b', family: 'template-qwen2.5' }],
};
const brokenJson = `Now.<tool_call>{"name": "write_file", "arguments": ${JSON.stringify(args).slice(0, -1)}`;

const lostCall = /tokens that Ollama did not pass on, most likely a call\. Asked again with a grammar/;

export const calls: Fault[] = [
  {
    fault: 'a call dropped in silence, half written',
    engine: [
      reply().halfCall('write_file', args),
      reply().constrainedCall('read_file', { path: 'README.md' }),
      reply().text('It says hello.'),
    ],
    status: 'finished',
    note: lostCall,
    kept: ['It says hello.'],
  },
  {
    fault: 'a call dropped in silence by a Go template',
    engine: [
      reply().raw(...(brokenJson.match(/.{1,4}/gs) ?? [])),
      reply().constrainedAnswer('Without a file, then.'),
    ],
    sim: goTemplate,
    kept: ['Now.', 'Without a file, then.'],
    status: 'finished',
    note: lostCall,
  },
  {
    fault: 'a call cut in its arguments at the output limit',
    engine: [reply().halfCall('run_command', longCommand).length()],
    sim: gemma,
    status: 'finished',
  },
  {
    fault: 'a call cut in its arguments by the end of the answer',
    engine: [reply().halfCall('run_command', longCommand)],
    sim: gemma,
    status: 'finished',
  },
  {
    fault: 'a call that cannot be read',
    engine: [
      reply().raw('</think>\n\n<tool_call>{"name": "write_file"}</tool_call>'),
      reply().constrainedAnswer('Without a file, then.'),
    ],
    kept: ['Without a file, then.'],
    status: 'finished',
    note: /could not read the tool call.*Asked again with a grammar/,
  },
  {
    fault: 'a call that cannot be read, told before anything came',
    engine: [
      reply().error(500, "error parsing tool call: raw='{', err=unexpected end of JSON input"),
      reply().constrainedAnswer('Without a file, then.'),
    ],
    kept: ['Without a file, then.'],
    status: 'finished',
    note: /could not read the tool call.*Asked again with a grammar/,
  },
];

export const answers: Fault[] = [
  ...refusals.map(([status, body, code]): Fault => ({
    fault: `HTTP ${String(status)} ${body.slice(0, 50)}`,
    engine: [reply().error(status, body)],
    status: 'failed',
    code,
  })),
  {
    fault: 'HTTP 403 with an empty body',
    engine: [reply().forbidden()],
    status: 'failed',
    code: 'engine_refused',
    message: /accepts no requests by the address/,
    advice: /(OLLAMA_HOST|set it up)/,
  },
  {
    fault: 'a template that refuses the history',
    engine: [reply().templateRefuses()],
    status: 'failed',
    code: 'template_refused',
    message: /The template of qwen3.5:9b refuses this conversation: No user query found/,
    advice: /new session/,
  },
];

export const nine = 'qwen3.5:9b';
const running = ({ world }: Run): Promise<void> =>
  world.engineUntil(({ status }) => status.kind === 'running');

export const engines: Fault[] = [
  {
    fault: 'a runner that crashes before the first line',
    engine: [reply().runnerExit()],
    status: 'failed',
    code: 'load_failed',
    message: /unexpectedly stopped/,
    advice: /Free GPU memory/,
  },
  {
    fault: 'a runner that crashes in the middle and that /api/ps still shows',
    engine: [half().runnerExit()],
    status: 'failed',
    code: 'engine_refused',
    message: /running the model: unexpected EOF/,
    kept: ['Half an ans'],
  },
  {
    fault: 'a runner that runs out of memory in the middle',
    engine: [half().runnerExit('cudaMalloc failed: out of memory')],
    status: 'failed',
    code: 'engine_refused',
    advice: /Free GPU memory/,
    kept: ['Half an ans'],
  },
  {
    fault: 'a load that runs out of memory',
    engine: [],
    before: ({ world }) => world.sim.setLoad(nine, { failure: { kind: 'out-of-memory' } }),
    status: 'failed',
    code: 'load_failed',
    message: /out of memory/,
    advice: /Free GPU memory/,
    cure: ({ world }) => world.sim.setLoad(nine),
  },
  {
    fault: 'a load that is killed',
    engine: [],
    before: ({ world }) => world.sim.setLoad(nine, { failure: { kind: 'killed' } }),
    status: 'failed',
    code: 'load_failed',
    message: /signal: killed/,
    cure: ({ world }) => world.sim.setLoad(nine),
  },
  {
    fault: 'a model that is deleted in the middle of the turn',
    engine: [reply().toolCall('read_file', { path: 'README.md' }).deleteModel()],
    status: 'failed',
    code: 'model_missing',
    message: /qwen3.5:9b is not installed/,
    advice: /Choose another model/,
  },
  {
    fault: 'an engine that restarts in the middle of an answer',
    engine: [half().restart(300)],
    status: 'finished',
    note: /cut off\. qwen3.5:9b was loaded again\. Asked again/,
    kept: ['Half an ans'],
  },
  {
    fault: 'an engine that is upgraded in the middle of an answer',
    engine: [half().restart(300, '0.41.0')],
    status: 'finished',
    note: /Ollama 0.40.2 was replaced by 0.41.0\. qwen3.5:9b was loaded again\. Asked again/,
    kept: ['Half an ans'],
  },
  {
    fault: 'an engine that restarts while it reads',
    engine: [reply().restart(100)],
    status: 'finished',
    note: /loaded again\. Asked again/,
  },
  {
    fault: 'an engine that restarts while a model is loaded',
    engine: [],
    before: ({ world }) => world.sim.setLoad(nine, { seconds: 0.3 }),
    meanwhile: async ({ world, session }) => {
      // The turn's own wait: a load may begin before it, to have the model warm.
      await session.until(({ turns }) => turns.at(-1)?.phase === 'loading');
      await world.sim.restart(100);
    },
    status: 'finished',
  },
  {
    fault: 'an engine that restarts while a person is asked',
    engine: [reply().toolCall('write_file', { path: 'a.txt', content: 'a' })],
    meanwhile: async ({ world, session }) => {
      await session.until(({ turns }) => turns.at(-1)?.phase === 'approval');
      const back = world.sim.restart(100);
      await session.answer('allow');
      await back;
    },
    status: 'finished',
    note: /loaded again\. Asked again/,
  },
  {
    fault: 'an engine that goes away and stays away',
    engine: [half().restart(3_600_000)],
    meanwhile: async (run) => {
      await modelSaid(run, 'Half');
      await run.world.engineUntil(({ status }) => status.kind === 'absent');
      run.clock.skip(61_000);
    },
    status: 'failed',
    code: 'engine_unavailable',
    message: /did not come back within a minute/,
    advice: /(OLLAMA_HOST|set it up)/,
    kept: ['Half an ans'],
    cure: async (run) => {
      await run.world.sim.restart();
      run.clock.skip(11_000);
      await running(run);
    },
  },
  {
    fault: 'an engine bound elsewhere',
    engine: [],
    asProgram: true,
    before: async (run) => {
      await running(run);
      void run.world.sim.restart(3_600_000);
      run.clock.skip(31_000);
      await run.world.engineUntil(({ status }) => status.kind === 'absent');
    },
    status: 'failed',
    code: 'engine_unavailable',
    message: /was not found at http:\/\/127\.0\.0\.1/,
    advice: /(OLLAMA_HOST to|name the host) where it runs/,
    cure: async (run) => {
      await run.world.sim.restart();
      run.clock.skip(11_000);
      await running(run);
    },
  },
];
