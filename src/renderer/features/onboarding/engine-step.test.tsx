import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { EngineState, EngineStatus, Setup } from '../../../protocol/model.ts';
import { primaryButtons, startFirstRun, titleNow } from '../../testing/onboarding-kit.tsx';

const without = (status: EngineStatus): Partial<EngineState> => ({ status, models: [], modelsReadAt: null });

describe('a missing Ollama', () => {
  const absent = without({ kind: 'absent', tried: ['http://127.0.0.1:11434', '/usr/bin/ollama'] });

  it('A missing Ollama is one step of four, with one button that leads on', async () => {
    await startFirstRun(absent);
    expect(titleNow()).toBe('Set up Ollama');
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(4);
    expect(screen.queryAllByRole('button', { name: /^Download/ })).toEqual([]);
    expect(document.querySelectorAll('.btn.primary')).toHaveLength(1);
  });

  it('A missing Ollama says how to install it here, and where it was looked for, to who opens the details', async () => {
    const { user } = await startFirstRun(absent);
    expect(screen.queryByText(/install\.sh/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByText('curl -fsSL https://ollama.com/install.sh | sh')).toBeDefined();
    expect(screen.getByText('http://127.0.0.1:11434, /usr/bin/ollama')).toBeDefined();
  });

  it('A missing Ollama that answered a moment ago is to be started again, not installed', async () => {
    await startFirstRun({ ...absent, modelsReadAt: 1 });
    expect(titleNow()).toBe('Start Ollama again');
    expect(screen.queryByRole('link')).toBeNull();
    expect(primaryButtons()).toEqual(['Check again']);
  });

  it('A missing Ollama opens the download page through the gate for links', async () => {
    const { user, opened } = await startFirstRun(absent);
    await user.click(screen.getByRole('link'));
    expect(opened).toEqual(['https://ollama.com/download']);
  });

  it('A missing Ollama looks again when asked to', async () => {
    const { user, engine } = await startFirstRun(absent);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await engine.asked('engine/refresh');
    expect(screen.getByRole('button', { name: 'Checking' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('A missing Ollama may be one at another address, which the settings take', async () => {
    const { user, stores } = await startFirstRun(absent);
    await user.click(screen.getByRole('button', { name: 'Use another Ollama' }));
    expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'engine' });
  });

  it('A missing Ollama can be left for the demo, which a browser goes to', async () => {
    const assign = vi.fn<(url: string | URL) => void>();
    vi.spyOn(window.location, 'assign').mockImplementation(assign);
    const { user, engine } = await startFirstRun(absent);
    engine.answer('demo/open', () => ({ address: 'http://127.0.0.1:4123/#token=t' }));
    await user.click(screen.getByRole('button', { name: 'Try the demo' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('http://127.0.0.1:4123/#token=t'));
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

  it('A bundled Ollama is offered with what comes from where and goes where, and never begun unasked', async () => {
    const { user, engine } = await startFirstRun(offered());
    expect(screen.getByText('1.5 GB, about 2 min at 100 Mbit/s')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Details' }));
    for (const shown of ['https://x/ollama.tgz', '/data/ollama', /^by its checksum/])
      expect(screen.getByText(shown)).toBeDefined();
    expect(screen.getByText('curl -fsSL https://ollama.com/install.sh | sh')).toBeDefined();
    expect(engine.count('setup/begin')).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Set up Ollama' }));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });

  it('A bundled Ollama shows how far it is, and is paused', async () => {
    const { user, engine } = await startFirstRun(offered(job));
    expect(titleNow()).toBe('Setting up Ollama');
    expect(screen.getByText('500 MB of 1.5 GB')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await engine.asked('setup/cancel');
    expect(engine.count('setup/cancel')).toBe(1);
  });

  it('A bundled Ollama says what went wrong, and tries again', async () => {
    const problem = {
      code: 'checksum',
      message: 'Its checksum is another.',
      advice: 'Nothing was unpacked.',
    };
    const { user, engine } = await startFirstRun(offered({ ...job, phase: 'failed', problem }));
    expect(titleNow()).toBe('Ollama could not be set up');
    expect(screen.getByText(/Its checksum is another/).textContent).toContain('Nothing was unpacked.');
    expect(primaryButtons()).toEqual(['Try again']);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });
});

describe('an Ollama that does not run', () => {
  it('An Ollama that does not run is started where that is possible', async () => {
    const hint = { program: '/usr/bin/ollama', canStart: true, startHint: 'Run: ollama serve' };
    const { user, engine } = await startFirstRun(without({ kind: 'stopped', ...hint }));
    await user.click(screen.getByRole('button', { name: 'Start Ollama' }));
    await engine.asked('engine/start');
    expect(screen.getByRole('button', { name: 'Start Ollama' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('An Ollama that does not run comes with the exact command where it is not', async () => {
    const startHint = 'Start it with: sudo systemctl start ollama';
    await startFirstRun(without({ kind: 'stopped', program: '/usr/bin/ollama', canStart: false, startHint }));
    expect(screen.queryByRole('button', { name: 'Start Ollama' })).toBeNull();
    expect(screen.getByText('sudo systemctl start ollama').tagName).toBe('CODE');
  });

  it('An Ollama that does not run shows how long it has been starting', async () => {
    await startFirstRun(without({ kind: 'starting', since: Date.now() - 7_000 }));
    expect(screen.getByRole('timer').textContent).toBe('0:07 of at most 1:00');
  });
});

it('Says what lets nobody through to an Ollama, and what to do about that', async () => {
  const url = 'https://gpu.lan';
  const message = `The certificate of ${url} is not trusted: self-signed certificate.`;
  await startFirstRun(without({ kind: 'wrong', url, message, barrier: 'certificate' }));
  expect(
    screen.getByText(`${message} Have this computer trust that certificate, or use another Ollama.`),
  ).toBeDefined();
});

it('Names the address at which something else answers, and what to do', async () => {
  const message = 'http://127.0.0.1:11434 answered 404.';
  await startFirstRun(without({ kind: 'wrong', url: 'http://127.0.0.1:11434', message }));
  expect(
    screen.getByText(`${message} Stop the program at this address, or use another Ollama.`),
  ).toBeDefined();
});
