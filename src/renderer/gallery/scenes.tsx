/** The window at the moments that matter, each under a name that the address can ask for. */
import type { EngineStatus } from '../../protocol/model.ts';
import { engineState, idleEngine, problems, running, talker, vagueEngine } from './fixtures.ts';
import {
  absent,
  badChecksum,
  crowdedEngine,
  lentEngine,
  loadingEngine,
  offeredEngine,
  ownEngine,
  pullingEngine,
  sharedEngine,
  spilledEngine,
  spreadOut,
} from './engine-fixtures.ts';
import {
  askingSession,
  failedSession,
  loadingSession,
  prefillSession,
  runningSession,
  stoppedSession,
  curedSession,
  finishingSession,
  latePrefillSession,
  lostSlotSession,
  rereadSession,
  writingSession,
} from './session-fixtures.ts';
import { plannedCommandSession } from './planned-command-fixtures.ts';
import {
  agentAskingSession,
  everythingPlanned,
  plannedSession,
  planningSession,
  proposedPlanSession,
} from './plan-fixtures.ts';
import { approvalScenes } from './approval-scenes.tsx';
import { sandboxScenes } from './sandbox-scenes.tsx';
import { attachmentScenes } from './attachment-scenes.tsx';
import { detailsScenes } from './details-scenes.tsx';
import { composerScenes } from './composer-scenes.tsx';
import { elsewhereScenes } from './elsewhere-scenes.tsx';
import { engineScenes } from './engine-scenes.tsx';
import { settingsScenes } from './settings-scenes.tsx';
import { shellScenes } from './shell-scenes.tsx';
import { onboardingScenes } from './onboarding-scenes.tsx';
import { paletteScenes } from './palette-scenes.tsx';
import { profileScenes } from './profile-scenes.tsx';
import { transcriptScenes } from './transcript-scenes.tsx';
import { onboarding, settings, window, type Scene } from './scene.tsx';
import { library } from '../text.ts';

const status = (status: EngineStatus) => (now: number) =>
  idleEngine(now, { status, models: [], modelsReadAt: null });

export const scenes: Scene[] = [
  window('writing', (now) => ({ session: writingSession(now) })),
  window('running', (now) => ({ session: runningSession(now) })),
  ...transcriptScenes,
  ...elsewhereScenes,
  ...approvalScenes,
  ...sandboxScenes,
  window('planning', (now) => ({ session: planningSession(now) })),
  window('planned', (now) => ({ session: plannedSession(now) })),
  window('planned-command', (now) => ({ session: plannedCommandSession(now) })),
  window('planned-asks', (now) => ({ session: plannedCommandSession(now, true) })),
  window('plan-waits', (now) => ({ session: proposedPlanSession(now) })),
  window('plan-taken', (now) => ({ session: proposedPlanSession(now, true) })),
  window('agent-asks', (now) => ({
    session: agentAskingSession(now),
    ui: { expanded: { item_1: false } },
  })),
  window('ended', (now) => ({
    session: everythingPlanned(now),
    ui: { expanded: { 'earlier:turn_0': true } },
  })),
  window('approval', (now) => ({ session: askingSession(now) })),
  window('prefill', (now) => ({ session: prefillSession(now) })),
  window('prefill-late', (now) => ({ session: latePrefillSession(now) })),
  window('reread', (now) => ({
    session: spreadOut(rereadSession(now), now),
    ui: { expanded: { 'turn_0:date_changed': true } },
  })),
  window('loading', (now) => ({
    session: loadingSession(now),
    engine: idleEngine(now, {
      loading: { model: 'qwen3.8:27b', since: now - 3_600, expectedMs: 9_100, progress: 0.41 },
    }),
  })),
  window('stopped', (now) => ({ session: stoppedSession(now) })),
  window('stopped-finishing', (now) => ({ session: finishingSession(now) })),
  window('stopped-cured', (now) => ({ session: curedSession(now) })),
  window('stopped-lost', (now) => ({ session: lostSlotSession(now) })),
  window('failed', (now) => ({ session: failedSession(now) })),
  window('engine-hot', (now) => ({
    session: { ...stoppedSession(now), warmth: { state: 'hot', tokens: 21_480, expectedMs: null } },
    engine: sharedEngine(now),
    ui: { view: 'engine' },
  })),
  window('engine-spilled', (now) => ({
    session: stoppedSession(now),
    engine: spilledEngine(now),
    ui: { view: 'engine' },
  })),
  window('engine-lent', (now) => ({
    session: stoppedSession(now),
    engine: lentEngine(now),
    ui: { view: 'engine' },
  })),
  ...engineScenes,
  window('engine-loading', (now) => ({ engine: loadingEngine(now), ui: { view: 'engine' } })),
  window('slow', (now) => ({
    session: rereadSession(now),
    engine: crowdedEngine(now),
    ui: { view: 'slow' },
  })),
  window('slow-well', (now) => ({ session: stoppedSession(now), ui: { view: 'slow' } })),
  window('empty', (now) => ({ engine: idleEngine(now) })),
  window('lost', (now) => ({
    session: stoppedSession(now),
    engine: idleEngine(now, {
      status: { kind: 'stopped', program: '/usr/local/bin/ollama', canStart: true, startHint: '' },
    }),
    ui: {
      notices: [
        { id: 1, message: 'The profile could not be saved: disk full', advice: 'Make room, then try again.' },
      ],
    },
  })),

  onboarding('unknown', () => null),
  onboarding('absent', status(absent)),
  onboarding('offer', (now) => offeredEngine(now)),
  onboarding('setting-up', (now) => offeredEngine(now, {})),
  onboarding('setup-failed', (now) => offeredEngine(now, badChecksum)),
  onboarding(
    'stopped',
    status({
      kind: 'stopped',
      program: '/usr/local/bin/ollama',
      canStart: true,
      startHint: 'Run: ollama serve',
    }),
  ),
  onboarding(
    'stopped-service',
    status({
      kind: 'stopped',
      program: '/usr/local/bin/ollama',
      canStart: false,
      startHint: 'It is installed as a system service. Start it with: sudo systemctl start ollama',
    }),
  ),
  onboarding('starting', (now) => status({ kind: 'starting', since: now - 7_000 })(now)),
  onboarding(
    'wrong',
    status({
      kind: 'wrong',
      url: 'http://127.0.0.1:11434',
      message: 'http://127.0.0.1:11434 answered, but not with a version of Ollama (HTTP 404).',
    }),
  ),
  onboarding('nomodel', (now) => idleEngine(now, { models: [] })),
  onboarding('nomodel-pulling', (now) =>
    idleEngine(now, { models: [], pulls: pullingEngine(now).pulls.slice(0, 1) }),
  ),
  onboarding('nomodel-nogpu', (now) => idleEngine(now, { models: [], gpus: [] })),
  onboarding('notools', (now) => idleEngine(now, { models: [talker] })),
  onboarding('exposed', (now) => engineState(now, { status: { ...running, exposed: true } })),

  settings('profiles', 'profiles', (now) => ({ session: stoppedSession(now) })),
  settings('problems', 'profiles', (now) => ({
    session: { ...stoppedSession(now), session: { ...stoppedSession(now).session, profileId: 'writer' } },
    problems,
  })),
  settings('models', 'models', (now) => ({ engine: vagueEngine(now) })),
  settings('library', 'models', (now) => ({ engine: pullingEngine(now) })),
  settings('model', 'models', (now) => ({ engine: engineState(now) }), {
    press: () => `[title="${library.details.open('qwen3.8:27b')}"]`,
  }),
  settings('engine-own', 'engine', (now) => ({ engine: ownEngine(now) })),
  settings('engine', 'engine', (now) => ({
    engine: engineState(now, { status: { ...running, exposed: true } }),
  })),
  settings('engine-vague', 'engine', (now) => ({ engine: vagueEngine(now) })),
  settings('appearance', 'appearance', () => ({})),
  settings('shortcuts', 'shortcuts', () => ({})),

  ...detailsScenes,
  ...composerScenes,
  ...attachmentScenes,
  ...settingsScenes,
  ...shellScenes,
  ...profileScenes,
  ...onboardingScenes,
  ...paletteScenes,
];
