import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { EngineState, Profile } from '../../../protocol/model.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { aModel, anEngine, aProfile, aSession, aSnapshot, aTurn, aUsage } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Settings, type SettingsSection } from './settings.tsx';

const gib = 1024 ** 3;
const writer = aProfile({ id: 'writer', name: 'Writer', builtIn: false, systemPrompt: 'You explain.' });
const loaded = {
  name: 'qwen3:8b',
  sizeBytes: 6 * gib,
  vramBytes: 6 * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
};

interface Setup {
  section?: SettingsSection;
  /** The tab of a profile that is open. */
  page?: string;
  profiles?: Profile[];
  engine?: Partial<EngineState>;
}

/** A session with one answered request, on the profile Developer. */
async function openSettings({
  section = 'profiles',
  page,
  profiles = [aProfile(), writer],
  engine = {},
}: Setup = {}) {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [aSession()],
    profiles,
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ loaded: [loaded], ...engine }) });
  window.stores.ui.setState({ openSessionId: 's1', view: 'settings' });
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ turns: [aTurn({ status: 'finished', usage: [aUsage()] })] }),
  );
  window.host.answer('profile/update', ({ changes }: { changes: Partial<Profile> }) => ({
    profile: aProfile({ ...changes, builtIn: false }),
  }));
  renderIn(window, <Settings section={section} />);
  const tab = document.getElementById(`profile-page-${page ?? ''}-tab`);
  if (tab) fireEvent.click(tab);
  return { ...window, user: userEvent.setup() };
}

const iterations = (): HTMLElement => screen.getByRole('textbox', { name: 'Max steps' });
const price = 're-reads about 3,210 tokens, about 3 s';

describe('thinking', () => {
  it('goes back to the model’s own', async () => {
    const { user, host } = await openSettings({
      page: 'model',
      profiles: [aProfile({ think: false }), writer],
    });
    await user.click(screen.getByRole('radio', { name: 'Model’s own' }));
    const apply = screen.queryByRole('button', { name: /^Apply/ });
    if (apply) await user.click(apply);
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({ changes: { think: null } });
  });
});

describe('a change that costs nothing', () => {
  it('is taken back by one that comes before its answer', async () => {
    const { user, host } = await openSettings({ page: 'advanced' });
    // It stays open.
    host.answer('profile/update', undefined as never);
    const remember = screen.getByRole('switch', { name: 'Remember' });
    const before = remember.getAttribute('aria-checked') === 'true';
    await user.click(remember);
    await host.asked('profile/update');
    const { changes } = host.last('profile/update') as { changes: Record<string, boolean> };
    expect(Object.values(changes)).toEqual([!before]);
    await user.click(remember);
    await host.asked('profile/update', 2);
    expect(host.last('profile/update')).toMatchObject({
      changes: { [Object.keys(changes).join('')]: before },
    });
  });

  it('is saved with Enter', async () => {
    const { user, host } = await openSettings({ page: 'limits' });
    await user.clear(iterations());
    await user.type(iterations(), '30{Enter}');
    await host.asked('profile/update');
    expect(host.last('profile/update')).toEqual({ profileId: 'developer', changes: { maxIterations: 30 } });
  });

  it('is saved when the field is left, and not when nothing changed', async () => {
    const { user, host } = await openSettings({ page: 'limits' });
    await user.click(iterations());
    await user.tab();
    expect(host.count('profile/update')).toBe(0);
    await user.clear(iterations());
    await user.type(iterations(), '5');
    await user.tab();
    await host.asked('profile/update');
  });

  it('goes back to the default by its own button', async () => {
    const { user, host } = await openSettings({ page: 'limits', profiles: [aProfile({ maxIterations: 7 })] });
    await user.click(screen.getByRole('button', { name: 'Reset to 20' }));
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({ changes: { maxIterations: 20 } });
  });

  it('is never a figure that the profile would refuse', async () => {
    const { user, host } = await openSettings({ page: 'limits' });
    await user.clear(iterations());
    await user.type(iterations(), '201{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('A whole number from 1 to 200.');
    expect(iterations().getAttribute('aria-invalid')).toBe('true');
    await settled();
    expect(host.count('profile/update')).toBe(0);
  });
});

describe('a change that costs something', () => {
  it('says its price and waits for a yes', async () => {
    const { user, host } = await openSettings({ page: 'tools' });
    await user.click(screen.getByRole('checkbox', { name: /^search / }));
    await user.click(screen.getByRole('checkbox', { name: /glob/ }));
    expect(screen.getByText(price)).toBeDefined();
    expect(host.count('profile/update')).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await host.asked('profile/update');
    expect(host.last('profile/update')).toEqual({
      profileId: 'developer',
      changes: { tools: ['read_file', 'glob', 'search'] },
    });
  });

  it('names the model that another window loads again', async () => {
    const { user } = await openSettings({ page: 'model' });
    const field = screen.getByRole('textbox', { name: 'Context' });
    await user.clear(field);
    await user.type(field, '32,768{Enter}');
    expect(screen.getByText(`loads qwen3:8b again, 6.0 GB, and ${price}`)).toBeDefined();
  });

  it('is forgotten with Discard, and when it is taken back by hand', async () => {
    const { user } = await openSettings({ page: 'tools' });
    const search = screen.getByRole('checkbox', { name: /^search / });
    await user.click(search);
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(search).toHaveProperty('checked', false);
    await user.click(search);
    await user.click(search);
    expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  });

  it('costs nothing in a profile that the open session does not use', async () => {
    const { user, host } = await openSettings({ page: 'tools' });
    await user.click(screen.getByRole('tab', { name: /Writer/ }));
    await user.click(screen.getByRole('checkbox', { name: /^search / }));
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({ profileId: 'writer' });
  });
});

it('a refused change stays on screen with the reason, and can be tried again', async () => {
  const { user, host } = await openSettings({ page: 'limits' });
  host.answer('profile/update', () => new Error('The disk is full.'));
  await user.clear(iterations());
  await user.type(iterations(), '30{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  expect(iterations()).toHaveProperty('value', '30');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await host.asked('profile/update', 2);
});

describe('switching the session', () => {
  it('says the price before the click', async () => {
    const { user, host } = await openSettings();
    expect(screen.getByText('In use in “Flaky lease test”.')).toBeDefined();
    await user.click(screen.getByRole('tab', { name: /Writer/ }));
    expect(screen.getByText(price)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Switch session' }));
    await host.asked('session/set-profile');
    expect(host.last('session/set-profile')).toEqual({ sessionId: 's1', profileId: 'writer' });
  });

  it('calls unknown what the engine did not count', async () => {
    const { user, stores } = await openSettings();
    const usage = [aUsage({ promptTokens: null, evaluatedTokens: null })];
    act(() => applySessionSnapshot(stores.session, aSnapshot({ turns: [aTurn({ usage })] })));
    await user.click(screen.getByRole('tab', { name: /Writer/ }));
    expect(screen.getByText('re-reads the session, tokens unknown')).toBeDefined();
  });
});

it('a profile that cannot be read is shown with its folder and the reason', async () => {
  const { user, stores } = await openSettings();
  const problem = {
    id: 'admin',
    path: '/p/admin',
    message: 'profile.json: "tools": there is no tool "shell"',
  };
  act(() => stores.host.setState({ problems: [problem] }));
  await user.click(screen.getByRole('tab', { name: /admin/ }));
  expect(screen.getByText(problem.message)).toBeDefined();
  expect(screen.getByText('/p/admin')).toBeDefined();
});

describe('the keyboard', () => {
  it('begins in the sections, and arrow keys go through them', async () => {
    const { user } = await openSettings();
    expect(document.activeElement?.textContent).toContain('Profiles');
    await user.keyboard('{ArrowDown}');
    expect(await screen.findByRole('heading', { name: 'Installed models' })).toBeDefined();
  });

  it('Escape takes back what is being typed, then closes; the composer has the keyboard', async () => {
    const { user, stores } = await openSettings({ page: 'limits' });
    await user.type(iterations(), '5{Escape}');
    expect(iterations()).toHaveProperty('value', '20');
    expect(stores.ui.getState().view).toBe('settings');
    await user.keyboard('{Escape}');
    expect(stores.ui.getState()).toMatchObject({ view: 'session', focus: { target: 'composer' } });
  });

  it('Escape closes also when nothing here has the keyboard, and stops no turn', async () => {
    const { stores, host } = await openSettings();
    applySessionSnapshot(stores.session, aSnapshot({ turns: [aTurn({ status: 'running' })] }));
    act(() => (document.activeElement as HTMLElement).blur());
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(stores.ui.getState().view).toBe('session');
    await act(() => settled());
    expect(host.last('turn/stop')).toBeUndefined();
  });

  it('stays with the switch that was made', async () => {
    const { user, stores } = await openSettings();
    await user.click(screen.getByRole('tab', { name: /^Writer/ }));
    await user.click(screen.getByRole('button', { name: 'Switch session' }));
    act(() =>
      applySessionSnapshot(stores.session, aSnapshot({ session: aSession({ profileId: 'writer' }) })),
    );
    expect(document.activeElement?.textContent).toContain('In use');
  });
});

describe('models', () => {
  it('are loaded and unloaded, and a refusal is shown beside the button', async () => {
    const { user, engine } = await openSettings({
      section: 'models',
      engine: { models: [aModel(), aModel({ name: 'llama3:8b', capabilities: ['completion'] })] },
    });
    engine.answer('model/preload', () => new Error('Out of memory.'));
    const row = screen.getByRole('row', { name: /llama3:8b/ });
    expect(within(row).getByText('no tools')).toBeDefined();
    await user.click(within(row).getByRole('button', { name: 'Load' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Out of memory.');
    await user.click(screen.getByRole('button', { name: 'Unload' }));
    await engine.asked('model/unload');
    expect(engine.last('model/unload')).toEqual({ model: 'qwen3:8b' });
  });

  it('say unknown for what the engine did not tell', async () => {
    const silent = aModel({ name: 'silent:1b', quantization: '', capabilities: null, trainedContext: null });
    await openSettings({ section: 'models', engine: { models: [silent] } });
    const row = screen.getByRole('row', { name: /silent:1b/ });
    expect(within(row).getAllByText('unknown')).toHaveLength(2);
    expect(within(row).getByText('capabilities unknown')).toBeDefined();
  });
});

describe('the engine', () => {
  it('is told how long to keep models', async () => {
    const { user, engine } = await openSettings({ section: 'engine' });
    engine.answer('engine/set-keep-alive', () => ({}));
    await user.click(screen.getByRole('radio', { name: 'Always' }));
    await engine.asked('engine/set-keep-alive');
    expect(engine.last('engine/set-keep-alive')).toEqual({ policy: 'always' });
  });

  it('shows unknown figures as unknown', async () => {
    const silent = {
      vramTotalBytes: null,
      vramUsedBytes: null,
      utilization: null,
      temperatureC: null,
      powerW: null,
    };
    await openSettings({ section: 'engine', engine: { gpus: [{ name: 'Radeon', at: 0, ...silent }] } });
    // Four of the GPU, two of the main memory.
    expect(screen.getAllByText('unknown')).toHaveLength(6);
  });
});

it('the theme is chosen from three', async () => {
  const { user, stores } = await openSettings({ section: 'appearance' });
  await user.click(screen.getByRole('radio', { name: 'Light' }));
  expect(stores.ui.getState().theme).toBe('light');
});
