import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { AbilityRow } from '../../../protocol/abilities.ts';
import type { AddedHost, KeyPlace, ModelHost } from '../../../protocol/model-host-methods.ts';
import { anEngine } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ModelHosts } from './model-hosts.tsx';

const lab: ModelHost = { id: 'lab', name: 'The lab', url: 'http://lab:8080/v1', kind: 'openai', key: 'none' };
const secret = 'sk-lab-0123456789';

async function openGroup(told: {
  hosts: ModelHost[];
  problem?: string;
  place?: KeyPlace;
  refuses?: boolean;
}) {
  const window = await openTestWindow();
  const { hosts, problem = null, place = { kind: 'keychain', name: 'macos' } } = told;
  const state = { hosts };
  window.host.answer('model-host/list', () => ({ hosts: state.hosts, problem, place }));
  window.host.answer('model-host/set-key', ({ hostId, key }) => {
    if (told.refuses) return new Error('refused');
    state.hosts = state.hosts.map((host) =>
      host.id === hostId ? { ...host, key: key === null ? 'none' : 'kept' } : host,
    );
    return {};
  });
  const rendered = renderIn(window, <ModelHosts />);
  await window.host.asked('model-host/list');
  return { ...window, rendered, user: userEvent.setup() };
}

const button = (name: string): Promise<HTMLElement> => screen.findByRole('button', { name });

test('A key is typed unseen, kept with Enter, and stays in no field', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  await user.click(await button('Set key'));
  const field = screen.getByLabelText('Key for The lab');
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute('type')).toBe('password');
  await user.type(field, `${secret}{Enter}`);
  await host.asked('model-host/set-key');
  expect(host.last('model-host/set-key')).toEqual({ hostId: 'lab', key: secret });
  expect(document.activeElement).toBe(await button('Change key'));
  expect(screen.queryByLabelText('Key for The lab')).toBeNull();
  expect(screen.getByText('key saved')).toBeTruthy();
  expect(document.body.innerHTML).not.toContain(secret);
});

test('Escape closes the field, and the keyboard is where it was', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  await user.click(await button('Set key'));
  await user.keyboard('half a key{Escape}');
  expect(screen.queryByLabelText('Key for The lab')).toBeNull();
  expect(document.activeElement).toBe(await button('Set key'));
  expect(host.count('model-host/set-key')).toBe(0);
});

test('Nothing is kept of nothing', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  await user.click(await button('Set key'));
  await user.keyboard('   {Enter}');
  expect(host.count('model-host/set-key')).toBe(0);
});

test('A kept key is removed', async () => {
  const { user, host } = await openGroup({ hosts: [{ ...lab, key: 'kept' }] });
  await user.click(await button('Change key'));
  await user.click(await button('Remove key'));
  await host.asked('model-host/set-key');
  expect(host.last('model-host/set-key')).toEqual({ hostId: 'lab', key: null });
  expect(await screen.findByText('no key')).toBeTruthy();
});

test('A key that is not taken is told of beside it, and can be tried again', async () => {
  const { user } = await openGroup({ hosts: [lab], refuses: true });
  await user.click(await button('Set key'));
  await user.keyboard(`${secret}{Enter}`);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByLabelText('Key for The lab')).toBeTruthy();
});

test('A host that takes no key has no button for one', async () => {
  await openGroup({ hosts: [{ ...lab, kind: 'ollama', key: null }] });
  expect(await screen.findByText('no key needed')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /key/ })).toBeNull();
});

test('Where keys are not encrypted, that is said with their file', async () => {
  await openGroup({ hosts: [lab], place: { kind: 'file', path: '/data/keys.json' } });
  expect(await screen.findByText(/unencrypted in \/data\/keys\.json/)).toBeTruthy();
});

test('What of hosts.json cannot be used is said', async () => {
  await openGroup({ hosts: [], problem: 'hosts.json: two hosts have the same id' });
  expect(await screen.findByText(/two hosts have the same id/)).toBeTruthy();
});

async function openForm(answer: (server: { address: string }) => AddedHost | Error | undefined) {
  const opened = await openGroup({ hosts: [] });
  opened.host.answer('model-host/add', answer);
  await opened.user.click(await button('Add server'));
  return { ...opened, form: within(await screen.findByRole('dialog', { name: 'Add a model server' })) };
}

test('A server is added by its address alone, and how many models it has is said', async () => {
  const { user, host, form } = await openForm(() => ({ host: lab, models: ['lab/a', 'lab/b'] }));
  await user.type(form.getByLabelText('Address'), '127.0.0.1:1234');
  await user.click(form.getByRole('button', { name: 'Add server' }));
  await host.asked('model-host/add');
  expect(host.last('model-host/add')).toEqual({ address: '127.0.0.1:1234', name: '', key: null });
  expect(await screen.findByText('The lab was added. It has 2 models.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(await button('Add server'));
  expect(host.count('model-host/list')).toBe(2);
});

test('A server that does not answer keeps what was typed, and says why', async () => {
  const { user, host, form } = await openForm(() => new Error('No model server answers there.'));
  await user.type(form.getByLabelText('Address'), 'http://lab');
  await user.type(form.getByLabelText('Name'), 'Lab');
  await user.type(form.getByLabelText('API key'), secret);
  await user.click(form.getByRole('button', { name: 'Add server' }));
  expect((await form.findByRole('alert')).textContent).toContain('No model server answers there.');
  expect(host.last('model-host/add')).toEqual({ address: 'http://lab', name: 'Lab', key: secret });
  expect(form.getByLabelText<HTMLInputElement>('Address').value).toBe('http://lab');
  expect(form.getByLabelText<HTMLInputElement>('API key').value).toBe(secret);
});

test('Without an address nothing is asked', async () => {
  const { user, host, form } = await openForm(() => new Error('not asked'));
  await user.click(form.getByRole('button', { name: 'Add server' }));
  expect((await form.findByRole('alert')).textContent).toBe('Type the address of the server.');
  expect(host.count('model-host/add')).toBe(0);
});

test('A server is removed after a question, and not where that is answered with no', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  host.answer('model-host/remove', () => ({}));
  await user.click(await button('Remove'));
  await user.click(await button('Keep server'));
  expect(host.count('model-host/remove')).toBe(0);
  await user.click(await button('Remove'));
  await user.click(await button('Remove server'));
  await host.asked('model-host/remove');
  expect(host.last('model-host/remove')).toEqual({ hostId: 'lab' });
});

test('What was learnt of a model of a server is shown with it, and can be forgotten', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  const models = ['lab/org/qwen'];
  host.answer('model-host/models', () => ({
    hosts: [{ hostId: 'lab', name: 'The lab', models, problem: null }],
  }));
  const native: AbilityRow = { ability: 'native', good: 0, bad: 3, score: 0.2, holds: false, at: 1 };
  host.answer('model/abilities', () => ({ abilities: [native] }));
  host.answer('model/forget-abilities', () => ({}));
  await user.click(await button('Models'));
  expect(await screen.findByText('org/qwen')).toBeTruthy();
  await user.click(await button('Abilities'));
  const row = within(await screen.findByRole('row', { name: /Calls tools natively/ }));
  expect(row.getByText('no')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /[Tt]est/ })).toBeNull();
  await user.click(await button('Forget'));
  await user.click(await button('Forget abilities'));
  await host.asked('model/forget-abilities');
  expect(host.last('model/forget-abilities')).toEqual({ model: 'lab/org/qwen' });
});

test('A server that is silent says so where its models would be', async () => {
  const { user, host } = await openGroup({ hosts: [lab] });
  const problem = { code: 'engine_unavailable', message: 'The lab does not answer.', advice: 'Start it.' };
  host.answer('model-host/models', () => ({
    hosts: [{ hostId: 'lab', name: 'The lab', models: [], problem }],
  }));
  await user.click(await button('Models'));
  expect((await screen.findByRole('alert')).textContent).toContain('The lab does not answer.');
});

test('Whoever has no other model works with the first of the server that was added', async () => {
  const { user, host, stores, form } = await openForm(() => ({ host: lab, models: ['lab/a', 'lab/b'] }));
  stores.ui.setState({ openSessionId: null, newSession: {} });
  host.answer('model-host/models', () => ({
    hosts: [{ hostId: 'lab', name: 'The lab', models: ['lab/a', 'lab/b'], problem: null }],
  }));
  host.answer('model-host/list', () => ({
    hosts: [lab],
    problem: null,
    place: { kind: 'file', path: '/k' },
  }));
  await user.type(form.getByLabelText('Address'), 'lab');
  await user.click(form.getByRole('button', { name: 'Add server' }));
  await screen.findByText('lab/a'.slice(4));
  expect(stores.ui.getState().newSession.model).toBe('lab/a');
  await user.click((await screen.findAllByRole('button', { name: 'Use' })).at(-1) ?? document.body);
  expect(stores.ui.getState().newSession.model).toBe('lab/b');
});

test('Whoever has a model keeps it when a server is added', async () => {
  const { user, host, stores, form } = await openForm(() => ({ host: lab, models: ['lab/a'] }));
  act(() => {
    stores.ui.setState({ openSessionId: null, newSession: {} });
    stores.engine.setState({ engine: anEngine() });
  });
  await user.type(form.getByLabelText('Address'), 'lab');
  await user.click(form.getByRole('button', { name: 'Add server' }));
  await screen.findByText('The lab was added. It has 1 model.');
  await host.asked('model-host/add');
  expect(stores.ui.getState().newSession.model).toBeUndefined();
});

test('The form opens wherever it is asked for', async () => {
  const { stores, commands } = await openGroup({ hosts: [] });
  await act(() => commands.run('server/add'));
  expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'engine' });
  expect(await screen.findByRole('dialog', { name: 'Add a model server' })).toBeTruthy();
});

test('The form that was asked for does not open again when its pane comes back', async () => {
  const window = await openGroup({ hosts: [] });
  const { user, commands, rendered } = window;
  await act(() => commands.run('server/add'));
  const form = within(await screen.findByRole('dialog', { name: 'Add a model server' }));
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  rendered.unmount();
  renderIn(window, <ModelHosts />);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Whoever cancels while the server is asked takes the question back', async () => {
  const { user, host, form } = await openForm(() => undefined);
  await user.type(form.getByLabelText('Address'), 'lab');
  await user.click(form.getByRole('button', { name: 'Add server' }));
  await host.asked('model-host/add');
  expect(form.getByRole('status').textContent).toBe('Asking the server for its models…');
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await settled();
  expect(host.cancelled).toEqual(['model-host/add']);
});
