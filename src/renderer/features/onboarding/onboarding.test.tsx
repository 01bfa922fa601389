import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineState, EngineStatus, Fit, Setup } from '../../../protocol/model.ts';
import { settled } from '../../testing/fake-server.ts';
import { anEngine, aProfile } from '../../testing/fixtures.ts';
import { aGpu, aPull, gib, startFirstRun } from '../../testing/onboarding-kit.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const without = (status: EngineStatus): Partial<EngineState> => ({ status, models: [], modelsReadAt: null });
const heading = (): string => screen.getByRole('heading', { level: 2 }).textContent;
const said = (): string => screen.getByRole('status').textContent;
const coming = (completedBytes: number): EngineState =>
  anEngine({ models: [], gpus: [aGpu()], pulls: [aPull({ completedBytes })] });

describe('no Ollama', () => {
  const absent = without({ kind: 'absent', tried: ['http://127.0.0.1:11434', '/usr/bin/ollama'] });

  it('says how to install it here, where it was looked for, and how to try without', async () => {
    await startFirstRun(absent);
    expect(heading()).toBe('Ollama was not found');
    expect(screen.getByText('curl -fsSL https://ollama.com/install.sh | sh')).toBeDefined();
    expect(screen.getByText('http://127.0.0.1:11434, /usr/bin/ollama')).toBeDefined();
    expect(screen.getByText('npm start -- --demo')).toBeDefined();
  });

  it('that answered a moment ago is to be started again, not installed', async () => {
    await startFirstRun({ ...absent, modelsReadAt: 1 });
    expect(heading()).toBe('Ollama stopped answering');
    expect(screen.queryByText(/install\.sh/)).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByRole('button', { name: 'Check again' })).toBeDefined();
  });

  it('opens the download page through the gate for links', async () => {
    const { user, opened } = await startFirstRun(absent);
    await user.click(screen.getByRole('link'));
    expect(opened).toEqual(['https://ollama.com/download']);
  });

  it('looks again when asked to', async () => {
    const { user, engine } = await startFirstRun(absent);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await engine.asked('engine/refresh');
    expect(screen.getByRole('button', { name: 'Checking' }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('a bundled Ollama', () => {
  const offer = {
    version: '0.40.2',
    downloadBytes: 1.5e9,
    url: 'https://x/ollama.tgz',
    folder: '/data/ollama',
  };
  const offered = (job: Setup['job'] = null): Partial<EngineState> => ({
    ...without({ kind: 'absent', tried: [] }),
    setup: { offer, installed: null, job },
  });
  const job: NonNullable<Setup['job']> = {
    kind: 'install',
    phase: 'downloading',
    receivedBytes: 0.5e9,
    totalBytes: 1.5e9,
    bytesPerSecond: 1e8,
    problem: null,
  };

  it('is offered with what comes from where and goes where, and never begun unasked', async () => {
    const { user, engine } = await startFirstRun(offered());
    for (const said of ['https://x/ollama.tgz', '/data/ollama', /By its checksum/])
      expect(screen.getByText(said)).toBeDefined();
    expect(screen.getByText('curl -fsSL https://ollama.com/install.sh | sh')).toBeDefined();
    expect(engine.count('setup/begin')).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Set up Ollama, 1.5 GB' }));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });

  it('shows how far it is, and is paused', async () => {
    const { user, engine } = await startFirstRun(offered(job));
    expect(heading()).toBe('Setting up Ollama');
    expect(screen.getByText('500 MB of 1.5 GB')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await engine.asked('setup/cancel');
    expect(engine.count('setup/cancel')).toBe(1);
  });

  it('says what went wrong, and tries again', async () => {
    const problem = {
      code: 'checksum',
      message: 'Its checksum is another.',
      advice: 'Nothing was unpacked.',
    };
    const { user, engine } = await startFirstRun(offered({ ...job, phase: 'failed', problem }));
    expect(screen.getByText(/Its checksum is another/).textContent).toContain('Nothing was unpacked.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });
});

describe('an Ollama that does not run', () => {
  it('is started where that is possible', async () => {
    const hint = { program: '/usr/bin/ollama', canStart: true, startHint: 'Run: ollama serve' };
    const { user, engine } = await startFirstRun(without({ kind: 'stopped', ...hint }));
    await user.click(screen.getByRole('button', { name: 'Start Ollama' }));
    await engine.asked('engine/start');
    expect(screen.getByRole('button', { name: 'Start Ollama' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('comes with the exact command where it is not', async () => {
    const startHint = 'Start it with: sudo systemctl start ollama';
    await startFirstRun(without({ kind: 'stopped', program: '/usr/bin/ollama', canStart: false, startHint }));
    expect(screen.queryByRole('button', { name: 'Start Ollama' })).toBeNull();
    expect(screen.getByText('sudo systemctl start ollama').tagName).toBe('CODE');
  });

  it('shows how long it has been starting', async () => {
    await startFirstRun(without({ kind: 'starting', since: Date.now() - 7_000 }));
    expect(screen.getByRole('timer').textContent).toBe('0:07 of at most 1:00');
  });
});

it('names the address at which something else answers, and what to do', async () => {
  await startFirstRun(without({ kind: 'wrong', url: 'http://127.0.0.1:11434', message: 'It says 404.' }));
  expect(screen.getByText('http://127.0.0.1:11434')).toBeDefined();
  expect(screen.getByText('It says 404.')).toBeDefined();
  expect(screen.getByText(/Stop the other program/)).toBeDefined();
});

describe('no model', () => {
  it('recommends by VRAM and gives the command of the chosen one', async () => {
    const { user } = await startFirstRun({ models: [] });
    const [first, second] = screen.getAllByRole('radio');
    expect(first).toHaveProperty('checked', true);
    expect(screen.getByText('ollama pull qwen3.8:27b')).toBeDefined();
    if (second) await user.click(second);
    expect(screen.getByText('ollama pull gemma4:26b-a4b')).toBeDefined();
  });

  it('gets the chosen one right here, and shows how far that is', async () => {
    const { user, engine, stores } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'Download qwen3.8:27b, 17 GB' }));
    await engine.asked('model/pull');
    expect(engine.last('model/pull')).toEqual({ model: 'qwen3.8:27b' });
    act(() => stores.engine.setState({ engine: anEngine({ models: [], pulls: [aPull()], gpus: [aGpu()] }) }));
    expect(screen.getByText('2 min 00 s left')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await engine.asked('model/pull-pause');
  });

  it('has its price: what it takes with the window of the profile, and what it leaves, as the engine reckons', async () => {
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
      verdict: 'fits',
      basis: 'formula',
    });
    const { engine } = await startFirstRun(
      { models: [] },
      [aProfile({ models: [], contextTokens: 32_768 })],
      (server) =>
        server.answer(
          'model/fit',
          ({ model, contextTokens }: { model: string; contextTokens: number[] }) => ({
            fits: contextTokens.map((tokens) => fit(model, tokens)),
          }),
        ),
    );
    expect(engine.last('model/fit')).toMatchObject({ contextTokens: [32_768] });
    expect(screen.getByText('VRAM at 32k')).toBeDefined();
    expect(await screen.findAllByText('20.0 GB')).toHaveLength(3);
    expect(screen.getByText('qwen3.8:27b would leave 2.5 GB free')).toBeDefined();
    expect(screen.getByText('35 tok/s')).toBeDefined();
    expect(screen.getByText('recommended')).toBeDefined();
  });

  it('promises nothing when the VRAM is unknown', async () => {
    await startFirstRun({
      models: [],
      gpus: [aGpu({ name: 'Some GPU', vramTotalBytes: null, vramUsedBytes: null })],
    });
    expect(screen.getByText('VRAM unknown')).toBeDefined();
    // VRAM and speed of each.
    expect(screen.getAllByText('unknown')).toHaveLength(6);
  });

  it('goes on by itself when a model arrives', async () => {
    const { stores } = await startFirstRun({ models: [] });
    act(() => stores.engine.setState({ engine: anEngine({ gpus: [aGpu()] }) }));
    expect(heading()).toBe('Ready. Try a first task');
  });

  it('is left alone when somebody leaves it, and is there again when it is opened', async () => {
    const { user, stores, commands } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('button', { name: 'Not now' }));
    expect(screen.getByText('The composer')).toBeDefined();
    act(() => stores.engine.setState({ engine: anEngine({ models: [], gpus: [aGpu()] }) }));
    expect(screen.getByText('The composer')).toBeDefined();
    await act(() => commands.run('first-run/open'));
    expect(heading()).toBe('Choose a model for this GPU');
  });
});

describe('the GPU', () => {
  it('is named first, with who holds what is not free', async () => {
    const gpuPrograms = [{ name: 'firefox', bytes: 0.9 * gib }];
    await startFirstRun({ ...without({ kind: 'absent', tried: [] }), gpuPrograms });
    expect(screen.getByText('NVIDIA GeForce RTX 3090')).toBeDefined();
    expect(screen.getByText('24.0 GB, 22.5 GB free')).toBeDefined();
    expect(screen.getByText('1.5 GB held by firefox and others')).toBeDefined();
  });

  it('is said to be missing where there is none', async () => {
    await startFirstRun({ models: [], gpus: [] });
    expect(screen.getByText('No GPU found')).toBeDefined();
  });
});

it('a pinned model that is gone can be let go', async () => {
  const { user, stores } = await startFirstRun({});
  act(() => stores.ui.setState({ newSession: { model: 'gone:7b' } }));
  expect(heading()).toBe('gone:7b is not installed');
  expect(screen.getByText('ollama pull gone:7b')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Let the profile choose' }));
  expect(heading()).toBe('Ready. Try a first task');
});

it('warns of an Ollama that the whole network can use', async () => {
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

it('a start at which all is well shows nothing of this', async () => {
  await startFirstRun({});
  expect(screen.getByText('The composer')).toBeDefined();
});

describe('without eyes or a mouse', () => {
  it('a screen that appears by itself is said once, and what moves on it is not', async () => {
    const { stores } = await startFirstRun({ models: [] });
    expect(said()).toMatch(/^Choose a model for this GPU\./);
    act(() => stores.engine.setState({ engine: coming(5e9) }));
    expect(said()).toMatch(/^The model is downloading\./);
    const before = said();
    const heard = vi.fn<() => void>();
    const listener = new MutationObserver(heard);
    listener.observe(screen.getByRole('status'), { childList: true, subtree: true, characterData: true });
    act(() => stores.engine.setState({ engine: coming(6e9) }));
    expect(screen.getByText('6.0 GB of 17.0 GB')).toBeDefined();
    await settled();
    expect(said()).toBe(before);
    expect(heard).not.toHaveBeenCalled();
    expect(screen.getByText('6.0 GB of 17.0 GB').closest('[aria-live]')).toBeNull();
  });

  it('the keyboard goes on where a button was that did its work, and to the title of a new screen', async () => {
    const { user, stores, engine } = await startFirstRun({ models: [] });
    engine.answer('model/pull', () => ({}));
    screen.getByRole('button', { name: /^Download/ }).focus();
    await user.keyboard('{Enter}');
    act(() => stores.engine.setState({ engine: coming(0) }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' })));
    act(() => stores.engine.setState({ engine: anEngine({ gpus: [aGpu()] }) }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Ready. Try a first task'));
  });

  it('the keyboard is left alone where it is elsewhere', async () => {
    const { user, stores } = await startFirstRun({ models: [] });
    await user.click(screen.getByRole('radio', { name: /gemma4/ }));
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    act(() => stores.engine.setState({ engine: coming(0) }));
    field.remove();
    await settled();
    expect(document.activeElement).toBe(document.body);
  });
});
