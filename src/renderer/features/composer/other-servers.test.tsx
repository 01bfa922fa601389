/** The menu of models where other servers have some too. */
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anEngine, aSession } from '../../testing/fixtures.ts';
import { openComposer } from '../../testing/composer-kit.tsx';

const silent = { code: 'engine_unavailable', message: 'It is off.', advice: 'Start it.' };

const keyless = { code: 'engine_refused', message: 'Work wants a key.', advice: 'Set it in the settings.' };

async function openMenu() {
  const window = await openComposer();
  window.host.answer('model-host/models', () => ({
    hosts: [
      { hostId: 'lab', name: 'The lab', models: ['lab/qwen3-30b', 'lab/coder'], problem: null },
      { hostId: 'attic', name: 'Attic', models: [], problem: silent },
      { hostId: 'work', name: 'Work', models: [], problem: keyless },
    ],
  }));
  act(() => window.stores.host.setState({ hosts: new Set(['lab', 'attic']) }));
  return window;
}

test('Models of other servers stand below the installed ones, with the server that has them', async () => {
  const { user, host } = await openMenu();
  expect(host.count('model-host/models')).toBe(0);
  await user.click(screen.getByRole('combobox', { name: 'Model: qwen3:8b' }));
  const other = await screen.findByRole('option', { name: /^lab\/qwen3-30b/ });
  expect(other.textContent).toContain('On The lab');
  const names = screen.getAllByRole('option').map((option) => option.textContent);
  expect(names[0]).toContain('Chosen by the profile');
  expect(names[1]).toContain('llama3:8b');
  expect(names.slice(-2)).toEqual([
    expect.stringContaining('lab/qwen3-30b'),
    expect.stringContaining('lab/coder'),
  ]);
  expect(screen.getByText('Attic does not answer.')).toBeTruthy();
  const why = 'Work did not list its models. Work wants a key. Set it in the settings.';
  expect(screen.getByText(why)).toBeTruthy();
});

test('A model of another server is chosen for the session by its whole name', async () => {
  const { user, host } = await openMenu();
  host.answer('session/update', () => ({ session: aSession({ model: 'lab/coder' }) }));
  await user.click(screen.getByRole('combobox', { name: 'Model: qwen3:8b' }));
  await user.click(await screen.findByRole('option', { name: /^lab\/coder/ }));
  await host.asked('session/update');
  expect(host.last('session/update')).toEqual({ sessionId: 's1', model: 'lab/coder' });
});

test('Where no Ollama runs, the models of other servers can be chosen all the same', async () => {
  const { user, stores } = await openMenu();
  act(() =>
    stores.engine.setState({ engine: anEngine({ status: { kind: 'absent', tried: [] }, models: [] }) }),
  );
  await user.click(screen.getByRole('combobox', { name: /^Model:/ }));
  await screen.findByRole('option', { name: /^lab\/coder/ });
  expect(screen.getByText('Andiron cannot reach Ollama.')).toBeTruthy();
  await user.click(screen.getByRole('option', { name: 'Set up Ollama' }));
  expect(stores.ui.getState()).toMatchObject({ firstRun: { shown: 'open' } });
});

test('Where Ollama has no model that chats, the menu leads to where one is got', async () => {
  const { user, stores } = await openMenu();
  act(() => stores.engine.setState({ engine: anEngine({ models: [] }) }));
  await user.click(screen.getByRole('combobox', { name: /^Model:/ }));
  await user.click(await screen.findByRole('option', { name: 'Get a model' }));
  expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'models' });
});

test('The menu says that it asks until there is an answer, and asks again each time it opens', async () => {
  const { user, host } = await openMenu();
  host.answer('model-host/models', () => undefined);
  const trigger = screen.getByRole('combobox', { name: 'Model: qwen3:8b' });
  await user.click(trigger);
  await screen.findByText('Asking other servers for their models');
  await user.keyboard('{Escape}');
  host.answer('model-host/models', () => ({ hosts: [] }));
  await user.click(trigger);
  await waitFor(() => expect(host.count('model-host/models')).toBe(2));
  await waitFor(() => expect(screen.queryByText('Asking other servers for their models')).toBeNull());
});

test('Where there is no model at all, the menu leads to adding a server', async () => {
  const { user, stores } = await openComposer();
  act(() =>
    stores.engine.setState({ engine: anEngine({ status: { kind: 'absent', tried: [] }, models: [] }) }),
  );
  await user.click(screen.getByRole('button', { name: /^Model/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add a model server' }));
  expect(stores.ui.getState()).toMatchObject({ settingsSection: 'engine', focus: { target: 'server' } });
});
