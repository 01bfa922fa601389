/** The first five minutes beyond what is missing: what a model costs, the tour, the exam, the first task and its hints. */
import type { EngineState, ExamProgress, ExamResult, ModelInfo, Profile } from '../../protocol/model.ts';
import { pullingEngine } from './engine-fixtures.ts';
import { engineState, idleEngine, models, openSession, profiles, talker } from './fixtures.ts';
import { Shell } from '../app/shell.tsx';
import { onboarding, scene, window, type Moment, type Scene } from './scene.tsx';
import { askingSession, failedSession, stoppedSession, writingSession } from './session-fixtures.ts';
import type { WorldOptions } from './world.ts';

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
  model: 'qwen3.8:27b',
  phase: 'calling',
  asked: 9,
  total: 24,
  since: now - 31_000,
  problem: null,
});

const failed = (now: number): ExamProgress => ({
  ...running(now),
  phase: 'failed',
  problem: { message: 'Ollama stopped answering.', advice: 'Start it again, then test the model.' },
});

function digestOf(engine: EngineState): string {
  return engine.models.find(({ name }) => name === 'qwen3.8:27b')?.digest ?? '';
}

const shared = (engine: EngineState): EngineState => ({
  ...engine,
  gpuPrograms: [
    { name: 'firefox', bytes: 0.8 * 1024 ** 3 },
    { name: 'gnome-shell', bytes: 0.3 * 1024 ** 3 },
  ],
});

/** As the first task of this window. */
const asFirstTask =
  (moment: Moment): Moment =>
  (now) => {
    const { session, ui, ...rest } = moment(now);
    const task = session?.session.id ?? null;
    return {
      ...rest,
      session: session ?? null,
      ui: { ...ui, firstRun: { shown: 'auto', done: ['task'], task } },
    };
  };

/** As the first start is opened again on a machine where all is well. */
const ready = (
  id: string,
  host: (now: number) => WorldOptions['host'] = () => ({}),
  over: Partial<EngineState> = {},
): Scene =>
  scene(
    `onboarding-${id}`,
    (now) => ({
      engine: engineState(now, over),
      host: host(now) ?? {},
      hostAnswers: { 'exam/price': () => ({ questions: 24, expectedMs: null, limitMs: 180_000 }) },
      ui: { firstRun: { shown: 'open', done: [], task: null } },
    }),
    (app) => <Shell services={app.services} />,
  );

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
  host: (now: number) => WorldOptions['host'],
  installed: ModelInfo[] = [talker],
  ui: WorldOptions['ui'] = {},
): Scene =>
  scene(
    `onboarding-${id}`,
    (now) => ({
      engine: idleEngine(now, { models: installed }),
      host: { profiles: withTalk(), ...host(now) },
      hostAnswers: { 'exam/price': () => ({ questions: 12, expectedMs: null, limitMs: 180_000 }) },
      ui,
    }),
    (app) => <Shell services={app.services} />,
  );

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

export const onboardingScenes: Scene[] = [
  onboarding('nomodel-shared', (now) => shared(idleEngine(now, { models: [] }))),
  onboarding('nomodel-unknown', (now) => {
    const engine = idleEngine(now, { models: [] });
    const gpus = engine.gpus?.map((gpu) => ({ ...gpu, vramTotalBytes: null, vramUsedBytes: null })) ?? null;
    return { ...engine, gpus };
  }),
  onboarding('tour', (now) => idleEngine(now, { models: [], pulls: pullingEngine(now).pulls.slice(0, 1) })),
  ready('ready-again'),
  ready('exam-running', (now) => ({ exam: running(now) })),
  ready('exam-found', (now) => ({ exams: [{ ...found(now), constrained: null }] })),
  // Its profile has a window that could be larger, and calls in the way that was worse.
  ready('exam-advice', (now) => ({
    exams: [found(now)],
    profiles: profiles.map((profile) => ({ ...profile, contextTokens: 16_384 })),
  })),
  ready('fixed-form', (now) => ({ profiles: withTalk('constrained'), exams: [ofTalker(now)] }), {
    models: [talker],
    loaded: [],
  }),
  noTools('notools-asked', () => ({})),
  noTools('notools-running', (now) => ({
    exam: { ...running(now), model: talker.name, asked: 5, total: 12 },
  })),
  noTools('notools-measured', (now) => ({ exams: [ofTalker(now)] })),
  noTools('notools-other', () => ({}), [talker, ...models]),
  noTools('notools-largest', () => ({}), [talker], { textSize: 'largest' }),
  window('failed-notools', refused),
  ready('exam-failed', (now) => ({ exam: failed(now) })),
  window(
    'first-task-asks',
    asFirstTask((now) => ({ session: askingSession(now) })),
  ),
  window(
    'first-task-stop',
    asFirstTask((now) => ({ session: writingSession(now) })),
  ),
  window(
    'first-task-stopped',
    asFirstTask((now) => ({ session: stoppedSession(now) })),
  ),
];
