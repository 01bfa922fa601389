import { describe, expect, test } from 'vitest';
import type { EngineStatus, ModelInfo, Profile, Pull } from '../../../protocol/model.ts';
import type { Target } from '../../stores/derive.ts';
import { aModel, aProfile } from '../../testing/fixtures.ts';
import { firstRunState, nowShown, stepNow, type FirstRunState, type StepName } from './first-run.ts';

const running: EngineStatus = {
  kind: 'running',
  url: 'http://127.0.0.1:11434',
  version: '0.40.2',
  simulated: false,
  exposed: false,
};

const model = (name: string, capabilities: string[] | null): ModelInfo => aModel({ name, capabilities });
const profile = (changes: Partial<Profile> = {}): Profile => aProfile({ models: [], ...changes });
const target = (profile: Profile | undefined, chosenModel: string | null): Target => ({
  session: null,
  workspace: null,
  profile,
  chosenModel,
  chosenApprovals: null,
  hosts: new Set(['lab']),
});

const agent = model('agent:9b', ['completion', 'tools']);
const talker = model('talker:12b', ['completion']);
const mute = model('embed:1b', ['embedding']);
const shy = model('shy:4b', null);

describe('what stands in the way', () => {
  const stopped: EngineStatus = {
    kind: 'stopped',
    program: '/usr/bin/ollama',
    canStart: true,
    startHint: 'Run: x',
  };
  const absent: EngineStatus = { kind: 'absent', tried: [] };
  const wrong: EngineStatus = { kind: 'wrong', url: 'http://x', message: 'no' };
  const starting: EngineStatus = { kind: 'starting', since: 5 };

  const table: [
    what: string,
    status: EngineStatus,
    models: ModelInfo[] | null,
    target: Partial<Profile> & { pinned?: string },
    FirstRunState,
  ][] = [
    ['the search', { kind: 'searching' }, null, {}, { kind: 'unknown' }],
    ['no Ollama', absent, null, {}, absent],
    ['an Ollama that does not run', stopped, null, {}, stopped],
    ['an Ollama that starts', starting, null, {}, starting],
    ['another program at its address', wrong, null, {}, wrong],
    ['a list of models that was not read yet', running, null, {}, { kind: 'unknown' }],
    ['an empty list of models', running, [], {}, { kind: 'no-model' }],
    [
      'nothing: the model of another host needs no Ollama',
      absent,
      null,
      { pinned: 'lab/big' },
      { kind: 'ready', model: 'lab/big' },
    ],
    ['nothing but an embedding model', running, [mute], {}, { kind: 'no-model' }],
    ['no model with tools', running, [mute, talker], {}, { kind: 'no-tools', model: 'talker:12b' }],
    [
      'a pinned model without tools',
      running,
      [agent, talker],
      { pinned: 'talker:12b' },
      { kind: 'no-tools', model: 'talker:12b' },
    ],
    [
      'a profile that prefers one without tools',
      running,
      [agent, talker],
      { models: ['gone:1b', 'talker:12b'] },
      { kind: 'no-tools', model: 'talker:12b' },
    ],
    [
      'a pinned model that is gone',
      running,
      [agent],
      { pinned: 'gone:1b' },
      { kind: 'missing', model: 'gone:1b' },
    ],
    ['nothing: a model with tools', running, [talker, agent], {}, { kind: 'ready', model: 'agent:9b' }],
    [
      'nothing: the profile needs no tools',
      running,
      [talker],
      { tools: [] },
      { kind: 'ready', model: 'talker:12b' },
    ],
    [
      'nothing: the profile calls in a fixed form',
      running,
      [talker],
      { calls: 'constrained' },
      { kind: 'ready', model: 'talker:12b' },
    ],
    ['nothing: what the model can do is unknown', running, [shy], {}, { kind: 'ready', model: 'shy:4b' }],
    [
      'nothing: the tag was left out',
      running,
      [model('agent:latest', ['completion', 'tools'])],
      { pinned: 'agent' },
      { kind: 'ready', model: 'agent:latest' },
    ],
  ];

  test.each(table)('%s', (_, status, models, { pinned, ...changes }, expected) => {
    const engine = { status, models: models ?? [], modelsReadAt: models && 1 };
    const state = firstRunState(engine, target(profile(changes), pinned ?? null));
    expect(state).toEqual(expected);
  });

  test('nothing is called missing before engine and host have spoken', () => {
    expect(firstRunState(null, null)).toEqual({ kind: 'unknown' });
    expect(firstRunState({ status: running, models: [], modelsReadAt: 1 }, null)).toEqual({
      kind: 'unknown',
    });
  });

  test('a missing profile counts as one that needs tools', () => {
    const engine = { status: running, models: [talker], modelsReadAt: 1 };
    expect(firstRunState(engine, target(undefined, null)).kind).toBe('no-tools');
  });
});

/** A download in this phase. */
const pull = (phase: Pull['phase']): Pull => ({
  model: 'agent:9b',
  phase,
  completedBytes: 1,
  totalBytes: 2,
  bytesPerSecond: null,
  startedAt: 0,
  problem: null,
});

describe('the step that is now', () => {
  const ready: FirstRunState = { kind: 'ready', model: 'agent:9b' };
  const noModel: FirstRunState = { kind: 'no-model' };
  const table: [what: string, state: FirstRunState, pulls: Pull[], hasFolder: boolean, now: StepName][] = [
    ['nothing known: the engine', { kind: 'unknown' }, [], false, 'engine'],
    ['no Ollama: the engine', { kind: 'absent', tried: [] }, [pull('pulling')], true, 'engine'],
    ['no model: a model', noModel, [], true, 'model'],
    ['a model on its way: the folder', noModel, [pull('pulling')], false, 'folder'],
    ['one that waits to be fetched: the folder', noModel, [pull('waiting')], false, 'folder'],
    ['one on its way and a folder: the task', noModel, [pull('verifying')], true, 'task'],
    ['a download that failed: the model again', noModel, [pull('failed')], true, 'model'],
    ['a download that was paused: the model again', noModel, [pull('paused')], true, 'model'],
    ['a model without tools: the model', { kind: 'no-tools', model: 'talker:12b' }, [], true, 'model'],
    ['all is there: the folder', ready, [], false, 'folder'],
    ['all is there with a folder: the task', ready, [], true, 'task'],
  ];
  test.each(table)('%s', (_, state, pulls, hasFolder, now) => {
    expect(stepNow({ state, pulls, hasFolder })).toBe(now);
  });
});

describe('being on screen', () => {
  const ready: FirstRunState = { kind: 'ready', model: 'agent:9b' };
  type Shown = ReturnType<typeof nowShown>;
  const table: [what: string, before: Shown, state: FirstRunState, expected: Shown, isNew?: boolean][] = [
    ['a person who has sessions is not led through it again', 'auto', { kind: 'no-model' }, 'auto', false],
    ['it stays when its first message has made a session', 'open', { kind: 'no-model' }, 'open', false],
    ['a problem opens it', 'auto', { kind: 'no-model' }, 'open'],
    ['a start at which all is well does not', 'auto', ready, 'auto'],
    ['not knowing does not', 'auto', { kind: 'unknown' }, 'auto'],
    ['it stays while nothing is known', 'open', { kind: 'unknown' }, 'open'],
    ['it stays for the last step', 'open', ready, 'open'],
    ['who left it is left alone while the same is missing', 'left', { kind: 'no-model' }, 'left'],
    ['once it worked, the next problem opens it again', 'left', ready, 'auto'],
  ];
  test.each(table)('%s', (_, before, { kind }, expected, isNew = true) => {
    expect(nowShown(before, kind, isNew)).toBe(expected);
  });
});
