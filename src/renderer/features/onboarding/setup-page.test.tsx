import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesktopBridge } from '../../../protocol/desktop.ts';
import type { EngineState, EngineStatus, Fit } from '../../../protocol/model.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { settled } from '../../testing/fake-server.ts';
import { anEngine, aProfile, aSession, aSnapshot, aTurn } from '../../testing/fixtures.ts';
import {
  aGpu,
  aPull,
  factOf,
  gib,
  primaryButtons,
  startFirstRun,
  titleNow,
} from '../../testing/onboarding-kit.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'First task' });
const said = (): string => screen.getByRole('status').textContent;
const coming = (completedBytes: number): EngineState =>
  anEngine({ models: [], gpus: [aGpu()], pulls: [aPull({ completedBytes })] });

describe('the choice of a model', () => {
  it('The choice of a model shows the best one for this GPU first, and the others beside it', async () => {
    const { user, engine } = await startFirstRun({ models: [] });
    expect(factOf('Choose a model')).toBe('RTX 3090, 22.5 GB free');
    expect(screen.getAllByRole('radio')).toHaveLength(3);
    expect(screen.getByRole('radio', { name: /^qwen3\.8:27b/ })).toHaveProperty('checked', true);
    expect(screen.getByText('about 23 min at 100 Mbit/s')).toBeDefined();
    await user.click(screen.getByRole('radio', { name: /^gemma4/ }));
    await user.click(screen.getByRole('button', { name: 'Download gemma4:26b-a4b' }));
    await engine.asked('model/pull');
    expect(engine.last('model/pull')).toEqual({ model: 'gemma4:26b-a4b' });
  });

  it('The choice of a model leads from the short list to the models of the settings', async () => {
    const { user, stores } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'More models' }));
    expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'models' });
  });

  it('The choice of a model says whether it fits with the context of the profile, as the engine reckons', async () => {
    const gb = 1e9;
    const fit = (model: string, contextTokens: number): Fit => ({
      model,
      contextTokens,
      weightsBytes: 16 * gb,
      cacheBytes: 2 * gb,
      bufferBytes: gb,
      overheadBytes: gb,
      totalBytes: 20 * gib,
      freeBytes: 22.5 * gib,
      verdict: model === 'qwen3.8:27b' ? 'fits' : 'too_big',
      basis: 'formula',
    });
    const { engine } = await startFirstRun(
      { models: [] },
      {
        profiles: [aProfile({ models: [], contextTokens: 32_768 })],
        prepare: (server) =>
          server.answer(
            'model/fit',
            ({ model, contextTokens }: { model: string; contextTokens: number[] }) => ({
              fits: contextTokens.map((tokens) => fit(model, tokens)),
            }),
          ),
      },
    );
    expect(engine.last('model/fit')).toMatchObject({ contextTokens: [32_768] });
    expect(await screen.findByText('Fits, 2.5 GB to spare')).toBeDefined();
    expect(screen.getAllByText('Too big, needs 20.0 GB')).toHaveLength(2);
  });

  it('The choice of a model is one that the disk has room for, and what has none says so and is not offered', async () => {
    const { engine, user } = await startFirstRun(
      { models: [] },
      {
        prepare: (server) =>
          server.answer('library/lacking-room', () => ({
            lacking: [{ model: 'qwen3.8:27b', neededBytes: 17e9, freeBytes: 9.5e9 }],
          })),
      },
    );
    expect(await screen.findByText('Disk has only 9.5 GB')).toBeDefined();
    expect(primaryButtons()).toEqual(['Download gemma4:26b-a4b']);
    await user.click(screen.getByRole('radio', { name: /qwen3\.8:27b/ }));
    await user.click(screen.getByRole('button', { name: 'Download qwen3.8:27b' }));
    expect(engine.count('model/pull')).toBe(0);
    // What cannot be downloaded takes no time.
    expect(screen.queryByText(/^about/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /gemma4:26b-a4b/ }));
    await user.click(screen.getByRole('button', { name: 'Download gemma4:26b-a4b' }));
    await engine.asked('model/pull');
    expect(engine.last('model/pull')).toEqual({ model: 'gemma4:26b-a4b' });
  });

  it('The choice of a model promises nothing when the VRAM is unknown', async () => {
    await startFirstRun({
      models: [],
      gpus: [aGpu({ name: 'Some GPU', vramTotalBytes: null, vramUsedBytes: null })],
    });
    expect(factOf('Choose a model')).toBe('Some GPU, VRAM unknown');
    expect(screen.getAllByText('Fit unknown')).toHaveLength(3);
  });

  it('The choice of a model offers a small one for the CPU where there is no GPU', async () => {
    await startFirstRun({ models: [], gpus: [] });
    expect(factOf('Choose a model')).toBe('no GPU, models run on the CPU');
    expect(screen.getAllByText('Runs on the CPU, slow')).toHaveLength(3);
    expect(primaryButtons()).toEqual(['Download qwen3.5:2b']);
  });

  it('The choice of a model is left alone when somebody skips it, and is there again when it is opened', async () => {
    const { user, stores, commands } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'Skip setup' }));
    expect(screen.getByText('The composer')).toBeDefined();
    act(() => stores.engine.setState({ engine: anEngine({ models: [], gpus: [aGpu()] }) }));
    expect(screen.getByText('The composer')).toBeDefined();
    await act(() => commands.run('first-run/open'));
    expect(titleNow()).toBe('Choose a model');
  });

  it('The choice of a model does not take the window of a person who has sessions', async () => {
    const { stores } = await startFirstRun({ models: [] });
    act(() => {
      stores.ui.setState({ firstRun: { shown: 'auto', done: [] } });
      stores.host.setState({ sessions: [aSession()] });
    });
    expect(screen.getByText('The composer')).toBeDefined();
  });

  it('The choice of a model takes nobody for new before the host has told of sessions', async () => {
    const { stores } = await startFirstRun({ status: { kind: 'absent', tried: [] }, modelsReadAt: null });
    act(() => {
      stores.host.setState({ defaults: null });
      stores.ui.setState({ firstRun: { shown: 'auto', done: [] } });
    });
    expect(screen.getByText('The composer')).toBeDefined();
    expect(stores.ui.getState().firstRun.shown).toBe('auto');
  });
});

describe('a download', () => {
  it('A download goes on with its progress while the folder is chosen, and is paused there', async () => {
    const { user, engine } = await startFirstRun({ models: [], pulls: [aPull()] });
    expect(titleNow()).toBe('Choose a folder');
    expect(factOf('Model')).toBe('qwen3.8:27b, 5.0 GB of 17.0 GB, 2 min left');
    await user.click(screen.getByRole('button', { name: 'Pause the download' }));
    await engine.asked('model/pull-pause');
    expect(engine.last('model/pull-pause')).toEqual({ model: 'qwen3.8:27b' });
  });

  it('A download that failed says what happened and what to do, and is tried again', async () => {
    const problem = { code: 'storage', message: 'The disk is full.', advice: 'Free some space.' };
    const { user, engine } = await startFirstRun({
      models: [],
      pulls: [aPull({ phase: 'failed', bytesPerSecond: null, problem })],
    });
    expect(titleNow()).toBe('The download failed');
    expect(screen.getByText(/The disk is full/).textContent).toContain('Free some space.');
    expect(primaryButtons()).toEqual(['Try again']);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await engine.asked('model/pull');
  });

  it('A download that failed can give way to another model', async () => {
    const { user, engine } = await startFirstRun({ models: [], pulls: [aPull({ phase: 'paused' })] });
    expect(titleNow()).toBe('The download is paused');
    await user.click(screen.getByRole('button', { name: 'Choose another model' }));
    await engine.asked('model/pull-forget');
    expect(engine.last('model/pull-forget')).toEqual({ model: 'qwen3.8:27b' });
  });
});

describe('the folder', () => {
  it('The folder is picked on the desktop', async () => {
    const chooseFolder = vi.fn<DesktopBridge['chooseFolder']>(() => Promise.resolve('/home/ada/kiln'));
    const desktop = { chooseFolder } as unknown as DesktopBridge;
    const { user } = await startFirstRun({ models: [], pulls: [aPull()] }, { desktop });
    expect(primaryButtons()).toEqual(['Choose a folder…']);
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    await waitFor(() => expect(titleNow()).toBe('Give it a first task'));
    expect(factOf('Folder')).toBe('/home/ada/kiln');
  });

  it('The folder is typed in a browser, and changed while nothing has begun', async () => {
    const { user } = await startFirstRun({ models: [], pulls: [aPull()] });
    await user.type(screen.getByRole('textbox', { name: 'Path of the folder' }), '/home/ada/kiln');
    await user.click(screen.getByRole('button', { name: 'Use this folder' }));
    expect(titleNow()).toBe('Give it a first task');
    await user.click(screen.getByRole('button', { name: 'Change folder' }));
    expect(titleNow()).toBe('Choose a folder');
    await user.type(screen.getByRole('textbox', { name: 'Path of the folder' }), '/home/ada/other{Enter}');
    expect(factOf('Folder')).toBe('/home/ada/other');
  });

  it('The folder can be a fresh copy of the sample project', async () => {
    const { user, host } = await startFirstRun({ models: [], pulls: [aPull()] });
    host.answer('sample/copy', () => ({ workspace: '/data/first-tasks/bookbox' }));
    await user.click(screen.getByRole('button', { name: 'Use a sample project' }));
    await waitFor(() => expect(factOf('Folder')).toBe('/data/first-tasks/bookbox'));
  });

  it('The folder that was given when Andiron was started is not asked for', async () => {
    await startFirstRun({ models: [], pulls: [aPull()] }, { workspace: '/w' });
    expect(titleNow()).toBe('Give it a first task');
  });
});

describe('the first task', () => {
  const first = aSession({ id: 'session_1', workspace: '/w' });
  const sent = async () => {
    const window = await startFirstRun({ models: [], pulls: [aPull()] }, { workspace: '/w' });
    window.host
      .answer('session/create', () => ({ session: first }))
      .answer('turn/start', () => ({ turnId: 'turn_1', queued: true }))
      .answer('turn/stop', () => ({}));
    return window;
  };

  it('The first task stands there already, and is sent with one press before the model is ready', async () => {
    const { user, host } = await sent();
    expect(screen.getByText('Your task starts when the model is ready.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await host.asked('turn/start');
    expect(host.last('turn/start')).toMatchObject({
      text: 'Explain what this project does and how its parts work together.',
    });
  });

  it('The first task is another one with a press, or in own words, which a failed download keeps', async () => {
    const { user, stores } = await sent();
    await user.click(screen.getByRole('button', { name: 'Run the tests' }));
    expect(field().value).toBe('Run the tests');
    await user.type(field(), ' twice');
    act(() =>
      stores.engine.setState({
        engine: anEngine({ models: [], gpus: [aGpu()], pulls: [aPull({ phase: 'paused' })] }),
      }),
    );
    expect(titleNow()).toBe('The download is paused');
    act(() => stores.engine.setState({ engine: coming(6e9) }));
    expect(field().value).toBe('Run the tests twice');
  });

  it('The first task keeps own words when another one is pressed, which goes below them', async () => {
    const { user } = await sent();
    await user.clear(field());
    await user.type(field(), 'Only the parser.');
    await user.click(screen.getByRole('button', { name: 'Write a README' }));
    expect(field().value).toBe('Only the parser.\n\nWrite a README');
  });

  it('The first task that is empty starts nothing', async () => {
    const { user, host } = await sent();
    await user.clear(field());
    expect(field().value).toBe('');
    await user.click(screen.getByRole('button', { name: 'Start' }));
    expect(host.count('turn/start')).toBe(0);
  });

  it('The first task waits on the page for its model, and is taken back into its field', async () => {
    const { user, host, stores } = await sent();
    const waiting = aTurn({ id: 'turn_1', status: 'queued', waitsFor: 'model', text: 'Explain it.' });
    act(() => {
      stores.ui.setState({ openSessionId: 'session_1' });
      stores.session.setState({ sessionId: 'session_1' });
      applySessionSnapshot(stores.session, aSnapshot({ session: first, turns: [waiting] }));
    });
    expect(screen.getByText('Your task starts when the model is ready.')).toBeDefined();
    expect(screen.getByText('Explain it.')).toBeDefined();
    expect(primaryButtons()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Edit task' }));
    await host.asked('turn/stop');
    act(() => applySessionSnapshot(stores.session, aSnapshot({ session: first })));
    await waitFor(() => expect(field().value).toBe('Explain it.'));
  });

  it('The first task gives the window to its session when its turn begins', async () => {
    const { stores } = await sent();
    const begun = aTurn({ id: 'turn_1', status: 'running', text: 'Explain it.' });
    const before = stores.ui.getState().focus.count;
    act(() => {
      stores.engine.setState({ engine: anEngine({ gpus: [aGpu()] }) });
      stores.ui.setState({ openSessionId: 'session_1' });
      stores.session.setState({ sessionId: 'session_1' });
      applySessionSnapshot(stores.session, aSnapshot({ session: first, turns: [begun] }));
    });
    expect(screen.getByText('The composer')).toBeDefined();
    expect(stores.ui.getState()).toMatchObject({
      firstRun: { shown: 'auto' },
      focus: { target: 'composer', count: before + 1 },
    });
  });
});

it('Goes on by itself when a model arrives, with what is known of it', async () => {
  const { stores } = await startFirstRun({ models: [] }, { workspace: '/w' });
  act(() => stores.engine.setState({ engine: anEngine({ gpus: [aGpu()] }) }));
  expect(titleNow()).toBe('Give it a first task');
  expect(factOf('Model')).toBe('qwen3:8b');
  expect(screen.getByText('Everything runs on this computer.')).toBeDefined();
});

it('A pinned model that is gone can be let go', async () => {
  const { user, stores } = await startFirstRun({}, { workspace: '/w' });
  act(() => stores.ui.setState({ newSession: { model: 'gone:7b' } }));
  expect(titleNow()).toBe('gone:7b is not installed');
  expect(screen.getByRole('button', { name: 'Download gone:7b' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Use the profile’s model' }));
  expect(titleNow()).toBe('Give it a first task');
});

describe('the tour', () => {
  it('The tour opens in the place of the steps, plays, and leads back to them', async () => {
    const { user, stores } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'Watch the tour' }));
    expect(screen.getByText('Replay')).toBeDefined();
    expect(screen.queryByRole('list', { name: 'Steps' })).toBeNull();
    expect(document.activeElement?.textContent).toBe('How a task goes, in 60 seconds');
    expect(screen.getByRole('button', { name: 'Pause the tour' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Skip the tour' }));
    expect(titleNow()).toBe('Choose a model');
    expect(stores.ui.getState().firstRun.done).toContain('tour');
  });

  it('The tour is stepped through with less motion, and never plays by itself', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const { user } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'Watch the tour' }));
    expect(screen.queryByRole('button', { name: /Play/ })).toBeNull();
    expect(screen.getByText('1 of 6')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next step' }));
    expect(screen.getByText('2 of 6')).toBeDefined();
  });
});

it('Warns of an Ollama that the whole network can use', async () => {
  const { stores } = await startFirstRun({ models: [] });
  const status: EngineStatus = {
    kind: 'running',
    url: 'http://x',
    version: '1',
    simulated: false,
    exposed: true,
  };
  act(() => stores.engine.setState({ engine: anEngine({ models: [], status }) }));
  expect(screen.getByText(/Anybody on your network can use this Ollama/)).toBeDefined();
});

it('A start at which all is well shows nothing of this', async () => {
  await startFirstRun({});
  expect(screen.getByText('The composer')).toBeDefined();
});

describe('without eyes or a mouse', () => {
  it('A step that comes by itself is said once, and what moves on it is not', async () => {
    const { stores } = await startFirstRun({ models: [] });
    expect(said()).toBe('Choose a model');
    act(() => stores.engine.setState({ engine: coming(5e9) }));
    expect(said()).toBe('Choose a folder');
    const heard = vi.fn<() => void>();
    const listener = new MutationObserver(heard);
    listener.observe(screen.getByRole('status'), { childList: true, subtree: true, characterData: true });
    act(() => stores.engine.setState({ engine: coming(6e9) }));
    expect(factOf('Model')).toContain('6.0 GB of 17.0 GB');
    await settled();
    expect(heard).not.toHaveBeenCalled();
  });

  it('The keyboard goes from a button that did its work to the title of the step that is now', async () => {
    const { user, stores, engine } = await startFirstRun({ models: [] }, { desktop: {} as DesktopBridge });
    engine.answer('model/pull', () => ({}));
    screen.getByRole('button', { name: /^Download/ }).focus();
    await user.keyboard('{Enter}');
    act(() => stores.engine.setState({ engine: coming(0) }));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Choose a folder/));
  });

  it('The keyboard stays in a step in which a button gave way to another', async () => {
    const { user, stores } = await startFirstRun({ models: [], pulls: [aPull({ phase: 'paused' })] });
    screen.getByRole('button', { name: 'Choose another model' }).focus();
    await user.keyboard('{Enter}');
    act(() => stores.engine.setState({ engine: anEngine({ models: [], gpus: [aGpu()] }) }));
    await waitFor(() => expect(document.activeElement?.closest('[aria-current="step"]')).not.toBeNull());
  });

  it('The keyboard is left alone where it is elsewhere', async () => {
    const { user, stores } = await startFirstRun({ models: [] }, { desktop: {} as DesktopBridge });
    await user.click(screen.getByRole('radio', { name: /gemma4/ }));
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    act(() => stores.engine.setState({ engine: coming(0) }));
    field.remove();
    await settled();
    expect(document.activeElement).toBe(document.body);
  });
});
