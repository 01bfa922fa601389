import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineState, Setup } from '../../../protocol/model.ts';
import { dictionaryOf, firstDictionary } from '../../../text/dictionaries.ts';
import { anEngine, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { speakFrom } from '../../text.ts';
import { EnginePane } from './engine-pane.tsx';

async function openPane(engine: Partial<EngineState>) {
  const window = await openTestWindow();
  window.stores.engine.setState({ engine: anEngine(engine) });
  renderIn(window, <EnginePane />);
  return { ...window, user: userEvent.setup(), words: () => document.body.textContent };
}

const button = (name: string) => screen.getByRole('button', { name });
const host = (url: string, origin: 'list' | 'default') =>
  ({ url, origin, standing: 'answers', version: '0.40.0' }) as const;

it('The Engine page says when system readings have failed, and nothing while they work (audit-A13)', async () => {
  const { words, stores } = await openPane({ systemReadings: 'working' });
  expect(words()).not.toContain('System readings failed');
  act(() => stores.engine.setState({ engine: anEngine({ systemReadings: 'failed' }) }));
  expect(words()).toContain('System readings failed three times');
});

describe('hosts', () => {
  const hosts = [host('http://a', 'list'), host('http://b', 'list'), host('http://c', 'default')];

  it('are tried in an order that the person changes', async () => {
    const { user, engine } = await openPane({ hosts });
    await user.click(button('Try http://b earlier'));
    await engine.asked('engine/set-hosts');
    expect(engine.last('engine/set-hosts')).toEqual({ hosts: ['http://b', 'http://a'] });
    expect(screen.queryByRole('button', { name: 'Remove http://c' })).toBeNull();
  });

  it('are added and removed', async () => {
    const { user, engine } = await openPane({ hosts });
    await user.click(button('Remove http://a'));
    await engine.asked('engine/set-hosts');
    expect(engine.last('engine/set-hosts')).toEqual({ hosts: ['http://b'] });
    await user.type(screen.getByRole('textbox', { name: 'Another address' }), 'http://d{Enter}');
    await engine.asked('engine/set-hosts', 2);
    expect(engine.last('engine/set-hosts')).toEqual({ hosts: ['http://a', 'http://b', 'http://d'] });
  });
});

describe('a bundled Ollama', () => {
  const offer = {
    version: '0.40.2',
    downloadBytes: 1.5e9,
    url: 'https://x/ollama.tgz',
    folder: '/data/ollama',
  };
  const setup = (over: Partial<Setup>): Partial<EngineState> => ({
    setup: { offer, installed: null, job: null, ...over },
  });
  const job = {
    kind: 'install',
    phase: 'downloading',
    receivedBytes: 0.5e9,
    totalBytes: 1.5e9,
    bytesPerSecond: 1e8,
    problem: null,
  } as const;

  it('is set up only when asked for, once what comes from where and goes where was said', async () => {
    const { user, engine, words } = await openPane(setup({}));
    expect(words()).toContain('https://x/ollama.tgz');
    expect(words()).toContain('/data/ollama');
    expect(words()).toContain('verifies the official download by its checksum');
    expect(engine.count('setup/begin')).toBe(0);
    await user.click(button('Set up Ollama'));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });

  it('shows its download, which can be paused and go on', async () => {
    const { user, engine, words } = await openPane(setup({ job }));
    expect(words()).toContain('500 MB of 1.5 GB');
    await user.click(button('Pause'));
    await engine.asked('setup/cancel');
    expect(engine.count('setup/cancel')).toBe(1);
  });

  it('says what is wrong with what came, and tries again', async () => {
    const problem = { code: 'checksum', message: 'Its checksum is another.', advice: 'Try again.' };
    const { user, engine, words } = await openPane(setup({ job: { ...job, phase: 'failed', problem } }));
    expect(words()).toContain('Its checksum is another. Try again.');
    await user.click(button('Try again'));
    await engine.asked('setup/begin');
    expect(engine.count('setup/begin')).toBe(1);
  });

  it('is updated, and removed after a yes', async () => {
    const installed = { version: '0.40.0', folder: '/data/ollama', sizeBytes: 2e9 };
    const { user, engine } = await openPane(setup({ installed }));
    expect(button('Update to 0.40.2')).toBeDefined();
    await user.click(button('Remove it and its models'));
    const dialog = screen.getByRole('alertdialog');
    expect(dialog.textContent).toContain('all of its models');
    await user.click(within(dialog).getByRole('button', { name: 'Remove it and its models' }));
    await engine.asked('setup/remove');
    expect(engine.last('setup/remove')).toEqual({ models: true });
  });
});

describe('keeping models loaded', () => {
  afterEach(() => speakFrom(firstDictionary));

  it('for so many minutes', async () => {
    const { user, engine } = await openPane({ keepAlive: 'minutes', keepMinutes: 30 });
    const field = screen.getByRole('textbox', { name: 'Minutes' });
    await user.clear(field);
    await user.type(field, '45{Enter}');
    await engine.asked('engine/set-keep-alive');
    expect(engine.last('engine/set-keep-alive')).toEqual({ policy: 'minutes', minutes: 45 });
  });

  it('in German for as many minutes as it shows with a group', async () => {
    speakFrom(await dictionaryOf('de'));
    const { user, engine } = await openPane({ keepAlive: 'minutes', keepMinutes: 1440 });
    const field = screen.getByRole('textbox', { name: 'Minuten' });
    expect(field).toHaveProperty('value', '1.440');
    await user.clear(field);
    await user.type(field, '1.200{Enter}');
    await engine.asked('engine/set-keep-alive');
    expect(engine.last('engine/set-keep-alive')).toEqual({ policy: 'minutes', minutes: 1200 });
  });

  it('never for a time that is none', async () => {
    const { user, engine } = await openPane({ keepAlive: 'minutes' });
    await user.clear(screen.getByRole('textbox', { name: 'Minutes' }));
    await user.type(screen.getByRole('textbox', { name: 'Minutes' }), '0{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('A whole number from 1 to 1,440.');
    expect(engine.count('engine/set-keep-alive')).toBe(0);
  });
});

const headings = (): (string | null)[] =>
  screen.getAllByRole('heading').map(({ textContent }) => textContent);

describe('what stands there', () => {
  it('has no heading over nothing', async () => {
    await openPane({ incidents: [], setup: { offer: null, installed: null, job: null } });
    expect(headings()).not.toContain('What went wrong');
    expect(headings()).not.toContain('Bundled Ollama');
  });

  it('begins with the way to an Ollama while none runs', async () => {
    const offer = { version: '0.40.2', downloadBytes: 1.5e9, url: 'https://x/o.tgz', folder: '/data/ollama' };
    const { stores } = await openPane({
      status: { kind: 'absent', tried: [] },
      setup: { offer, installed: null, job: null },
    });
    expect(headings().slice(0, 2)).toEqual(['Ollama', 'Bundled Ollama']);
    const { engine } = stores.engine.getState();
    act(() => stores.engine.setState({ engine: engine && { ...engine, status: anEngine({}).status } }));
    expect(headings().at(-1)).toBe('Bundled Ollama');
  });
});

it('says of an update that is on the disk that it is not downloaded again', async () => {
  const offer = { version: '0.40.2', downloadBytes: 0, url: 'https://x/o.tgz', folder: '/data/ollama' };
  const installed = { version: '0.39.0', folder: '/data/ollama/versions/0.39.0', sizeBytes: null };
  const { words } = await openPane({ setup: { offer, installed, job: null } });
  expect(words()).toContain('Ollama 0.40.2, set up by Andiron, already downloaded');
});

it('tells what went wrong, with its cost and what to do', async () => {
  const incident = { id: 'i', at: noon, kind: 'reload', model: 'qwen3:8b' } as const;
  const { words } = await openPane({
    incidents: [{ ...incident, message: 'Reloaded by another.', advice: 'Tell it so.', costMs: 9100 }],
  });
  expect(words()).toContain('Reloaded by another. Tell it so.cost 9.1 s');
});
