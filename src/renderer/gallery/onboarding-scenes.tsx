/** The page of the first start beyond the engine: a model, its download, a folder, the first task. */
import type {
  EngineState,
  ExamProgress,
  ExamResult,
  ModelInfo,
  Profile,
  Pull,
} from '../../protocol/model.ts';
import { onboarding } from '../text.ts';
import { quietDesktop } from './desktop.ts';
import { pullingEngine } from './engine-fixtures.ts';
import { engineState, idleEngine, models, openSession, profiles, talker } from './fixtures.ts';
import { onboarding as page, window, type Moment, type Scene } from './scene.tsx';
import { failedSession, stoppedSession } from './session-fixtures.ts';
import type { WorldOptions } from './world.ts';

/** As Ollama says it where the disk is full. */
const noRoom = {
  code: 'storage',
  message: 'gemma4:26b-a4b needs 10.0 GB more, and 4.2 GB are free.',
  advice: 'Delete a model that you do not need, or free some space on that disk. Then try again.',
};

const found = (now: number): ExamResult => ({
  model: 'qwen3.8:27b',
  digest: digestOf(engineState(now)),
  at: now - 60_000,
  tookMs: 74_000,
  gpu: 'NVIDIA GeForce RTX 3090',
  contextTokens: 32_768,
  readsPerSecond: 820,
  writesPerSecond: 34.1,
  native: { valid: 8, asked: 12, mended: 1 },
  constrained: { valid: 12, asked: 12, mended: 0 },
  largestWindow: 32_768,
  byItself: 'native',
  complete: true,
});

const running = (now: number): ExamProgress => ({
  model: talker.name,
  phase: 'calling',
  asked: 5,
  total: 12,
  since: now - 31_000,
  problem: null,
});

function digestOf(engine: EngineState): string {
  return engine.models.find(({ name }) => name === 'qwen3.8:27b')?.digest ?? '';
}

/** A download, as the page meets it. */
const pulling =
  (over: Partial<Pull> = {}) =>
  (now: number): EngineState =>
    idleEngine(now, {
      models: [],
      pulls: pullingEngine(now)
        .pulls.slice(0, 1)
        .map((pull) => ({ ...pull, ...over })),
    });

/** A first task that was started before its model was there. */
const waitingTask = (now: number): WorldOptions['session'] => {
  const { items: _items, turns, ...session } = stoppedSession(now);
  const [turn] = turns;
  if (!turn) throw new Error('The session has no turn.');
  const text = onboarding.task.first;
  return {
    ...session,
    session: { ...openSession, workspace: '/home/ada/code/kiln', status: 'queued' },
    items: [],
    turns: [{ ...turn, text, status: 'queued', waitsFor: 'model' }],
  };
};

const ofTalker = (now: number): ExamResult => ({
  ...found(now),
  model: talker.name,
  digest: talker.digest,
  native: null,
  constrained: { valid: 8, asked: 12, mended: 0 },
  byItself: 'constrained',
});

/** As they ship, each with the only model that was not made for tools. */
const withTalk = (calls: Profile['calls'] = 'auto'): Profile[] => [
  ...profiles.map((profile) => ({ ...profile, models: [talker.name], calls })),
  ...profiles.slice(0, 1).map((profile) => ({ ...profile, id: 'talk', name: 'Talk', tools: [] })),
];

const noTools = (
  id: string,
  host: (now: number) => WorldOptions['host'] = () => ({}),
  installed: ModelInfo[] = [talker],
): Scene =>
  page(`notools-${id}`, (now) => idleEngine(now, { models: installed }), {
    host: (now) => ({ profiles: withTalk(), ...host(now) }),
    hostAnswers: { 'exam/price': () => ({ questions: 12, expectedMs: null, limitMs: 180_000 }) },
  });

/** A turn that asked for calls of a model that makes none by itself. */
const refused: Moment = (now) => {
  const session = failedSession(now);
  const items = session.items.map((item) =>
    item.kind === 'error'
      ? {
          ...item,
          code: 'model_without_tools' as const,
          message: 'gemma3:12b does not support tools, and the profile Developer uses native calls.',
          advice: 'Set the profile to constrained calls, choose a model made for tools, or only chat.',
        }
      : item,
  );
  const own = { ...openSession, model: talker.name, status: 'failed' as const };
  return {
    engine: idleEngine(now, { models: [talker, ...models] }),
    host: { profiles: withTalk('native'), exams: [ofTalker(now)] },
    session: { ...session, items, session: own },
  };
};

const kiln = '/home/ada/code/kiln';

const needed: Readonly<Record<string, number>> = {
  'qwen3.8:27b': 17e9,
  'gemma4:26b-a4b': 16.9e9,
  'qwen3.5:9b': 6.5e9,
};
/** A disk with so much room for models. */
const withDisk = (id: string, freeBytes: number): Scene =>
  page(id, (now) => idleEngine(now, { models: [] }), {
    engineAnswers: {
      'library/lacking-room': ({ models: asked }: { models: string[] }) => ({
        lacking: asked
          .map((model) => ({ model, neededBytes: needed[model] ?? 0, freeBytes }))
          .filter(({ neededBytes }) => neededBytes > freeBytes),
      }),
    },
  });

export const onboardingScenes: Scene[] = [
  withDisk('nomodel-low-disk', 9.5e9),
  withDisk('nomodel-full-disk', 4.2e9),
  page('nomodel-unknown', (now) => {
    const engine = idleEngine(now, { models: [] });
    const gpus = engine.gpus?.map((gpu) => ({ ...gpu, vramTotalBytes: null, vramUsedBytes: null })) ?? null;
    return { ...engine, gpus };
  }),
  page('folder', pulling(), { desktop: quietDesktop('linux') }),
  page('folder-typed', pulling()),
  page('pull-failed', pulling({ phase: 'failed', bytesPerSecond: null, problem: noRoom })),
  page('task-early', pulling(), { workspace: kiln }),
  page('task-waits', pulling(), { workspace: kiln, session: waitingTask }),
  page('task', (now) => engineState(now), {
    workspace: kiln,
    host: (now) => ({ exams: [found(now)] }),
  }),
  page('constrained', (now) => idleEngine(now, { models: [talker] }), {
    workspace: kiln,
    host: (now) => ({ profiles: withTalk('constrained'), exams: [ofTalker(now)] }),
  }),
  noTools('asked'),
  noTools('running', (now) => ({ exam: running(now) })),
  noTools('measured', (now) => ({ exams: [ofTalker(now)] })),
  noTools('other', () => ({}), [talker, ...models]),
  window('failed-notools', refused),
];
