import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { KeyPlace, ModelHost } from '../../../protocol/model-host-methods.ts';
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
  renderIn(window, <ModelHosts />);
  await window.host.asked('model-host/list');
  return { ...window, user: userEvent.setup() };
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
  await user.click(await button('Remove'));
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

test('A host that takes no key has no button', async () => {
  await openGroup({ hosts: [{ ...lab, kind: 'ollama', key: null }] });
  expect(await screen.findByText('no key needed')).toBeTruthy();
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('Where keys are not encrypted, that is said with their file', async () => {
  await openGroup({ hosts: [lab], place: { kind: 'file', path: '/data/keys.json' } });
  expect(await screen.findByText(/unencrypted in \/data\/keys\.json/)).toBeTruthy();
});

test('What of hosts.json cannot be used is said', async () => {
  await openGroup({ hosts: [], problem: 'hosts.json: two hosts have the same id' });
  expect(await screen.findByText(/two hosts have the same id/)).toBeTruthy();
});
