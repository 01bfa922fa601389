import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ApprovalMode } from '../../../protocol/model.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { aModel, anEngine, aProfile, aSession, aSnapshot, aTurn, aUsage } from '../../testing/fixtures.ts';
import { openComposer } from '../../testing/composer-kit.tsx';
import { settled } from '../../testing/fake-server.ts';

const run = (window: Awaited<ReturnType<typeof openComposer>>, turns = [aTurn()]): void =>
  act(() => applySessionSnapshot(window.stores.session, aSnapshot({ turns })));

const folderField = () => screen.getByRole('textbox', { name: 'Path of the folder' });

describe('the folder of a session', () => {
  it('is asked for with the first message where nobody has chosen one, and nothing is lost (audit-S15)', async () => {
    const { host, user, box, stores } = await openComposer();
    act(() => {
      stores.host.setState({ defaults: { profileId: 'developer', workspace: null } });
      stores.ui.setState({ openSessionId: null });
    });
    expect(box.placeholder).toBe('Describe a task. You choose its folder when you send it.');
    await user.type(box, 'Hello{Enter}');
    expect([host.count('session/create'), box.value]).toEqual([0, 'Hello']);
    host.answer('session/create', () => ({ session: aSession() }));
    // The message that waited for it goes at once, on whatever page it was written.
    await user.type(screen.getByRole('textbox', { name: 'Path of the folder' }), '/chosen{Enter}');
    await host.asked('turn/start');
    expect(host.last('session/create')).toEqual({ workspace: '/chosen' });
    expect(host.last('turn/start')).toMatchObject({ text: 'Hello' });
  });

  it('is asked for again where the one that was typed is refused, and nothing is lost (audit-S15)', async () => {
    const { host, user, box, stores } = await openComposer();
    act(() => {
      stores.host.setState({ defaults: { profileId: 'developer', workspace: null } });
      stores.ui.setState({ openSessionId: null });
    });
    const refusal = new AndironError('workspace_invalid', 'There is no folder /gone.', 'Choose another one.');
    host.answer('session/create', () => refusal);
    await user.type(box, 'Hello{Enter}');
    await user.type(folderField(), '/gone{Enter}');
    await host.asked('session/create');
    await act(settled);
    expect([folderField().isConnected, box.value]).toEqual([true, 'Hello']);
    expect(stores.ui.getState().newSession.workspace).toBeUndefined();
  });

  it('of an import is offered until it is chosen, also when the session has begun (audit-S9)', async () => {
    const { host, user, stores } = await openComposer();
    const session = aSession({ importedFrom: '/etc' });
    act(() => applySessionSnapshot(stores.session, aSnapshot({ session, turns: [aTurn()] })));
    host.answer('session/update', () => ({ session }));
    expect(screen.getByRole('region', { name: 'Folder of this imported session' }).textContent).toContain(
      'It works in an empty folder until you choose one.',
    );
    await user.click(screen.getByRole('button', { name: 'Use /etc' }));
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', workspace: '/etc' });
    const chosen = aSession({ importedFrom: null });
    act(() => applySessionSnapshot(stores.session, aSnapshot({ session: chosen })));
    expect(screen.queryByRole('button', { name: 'Use /etc' })).toBeNull();
  });

  it('of an import is typed where there is no folder picker (audit-S9)', async () => {
    const { host, user, stores } = await openComposer();
    const session = aSession({ importedFrom: '' });
    act(() => applySessionSnapshot(stores.session, aSnapshot({ session })));
    host.answer('session/update', () => ({ session }));
    expect(screen.queryByRole('button', { name: /^Use / })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Choose another folder' }));
    await user.type(screen.getByRole('textbox', { name: 'Path of the folder' }), '/mine{Enter}');
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', workspace: '/mine' });
  });
});

describe('the message box', () => {
  it('sends with Enter and breaks the line with Shift+Enter', async () => {
    const { host, user, box } = await openComposer();
    await user.type(box, 'one{Shift>}{Enter}{/Shift}two');
    expect(host.count('turn/start')).toBe(0);
    await user.keyboard('{Enter}');
    await host.asked('turn/start');
    expect(host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'one\ntwo',
    });
    expect(box).toHaveProperty('value', '');
  });

  it('leaves Enter to an input method that composes', async () => {
    const { host, user, box } = await openComposer();
    await user.type(box, 'にほん');
    const composing = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    Object.defineProperty(composing, 'isComposing', { value: true });
    act(() => void box.dispatchEvent(composing));
    await settled();
    expect(host.count('turn/start')).toBe(0);
  });

  it('cannot send nothing', async () => {
    const { user, box, host } = await openComposer();
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
    await user.type(box, '   {Enter}');
    expect(host.count('turn/start')).toBe(0);
  });

  it('turns Send into Stop in the same element, before the host has answered', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, 'Hello');
    const button = screen.getByRole('button', { name: 'Send' });
    await user.click(button);
    expect(button.textContent).toContain('Stop');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    await user.click(button);
    expect(button.textContent).toContain('Stopping');
    expect(host.count('turn/stop')).toBe(0);
  });

  it('takes the keyboard back when Send was clicked', async () => {
    const { user, box } = await openComposer();
    await user.type(box, 'Hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(document.activeElement).toBe(box);
  });

  it('takes the keyboard back when the turn ends while Stop has it', async () => {
    const window = await openComposer();
    run(window);
    screen.getByRole('button', { name: /^Stop/ }).focus();
    run(window, [aTurn({ status: 'finished' })]);
    expect(document.activeElement).toBe(window.box);
  });

  it('does not send what waits in the box with the second click of a Stop', async () => {
    const window = await openComposer();
    run(window);
    await window.user.type(window.box, 'Not yet');
    const button = screen.getByRole('button', { name: /^Stop/ });
    fireEvent.click(button, { detail: 1 });
    run(window, [aTurn({ status: 'stopped' })]);
    fireEvent.click(button, { detail: 2 });
    expect(window.box).toHaveProperty('value', 'Not yet');
    fireEvent.click(button, { detail: 1 });
    await window.host.asked('turn/start');
  });

  it('keeps Stop while a message is written, and queues it with Enter', async () => {
    const window = await openComposer();
    run(window);
    await window.user.type(window.box, 'And then this');
    expect(screen.getByRole('button', { name: /^Stop/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Queue/ })).toBeTruthy();
    await window.user.keyboard('{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toMatchObject({ text: 'And then this' });
  });

  it('keeps what was written for each session', async () => {
    const { user, box, stores } = await openComposer();
    await user.type(box, 'for one');
    act(() => stores.ui.setState({ openSessionId: 's2' }));
    expect(box).toHaveProperty('value', '');
    act(() => stores.ui.setState({ openSessionId: 's1' }));
    expect(box).toHaveProperty('value', 'for one');
  });

  it('shows queued messages and takes one out again', async () => {
    const window = await openComposer();
    run(window, [aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then the changelog' })]);
    const queue = screen.getByRole('list', { name: 'Queued messages' });
    expect(queue.textContent).toContain('Then the changelog');
    await window.user.click(screen.getByRole('button', { name: 'Remove the queued message' }));
    await window.host.asked('turn/stop');
    expect(window.host.last('turn/stop')).toEqual({ sessionId: 's1', turnId: 't2' });
  });

  it('moves a queued message up', async () => {
    const window = await openComposer();
    run(window, [
      aTurn(),
      aTurn({ id: 't2', status: 'queued', text: 'Second' }),
      aTurn({ id: 't3', status: 'queued', text: 'Third' }),
    ]);
    // The first one is next already.
    await window.user.click(screen.getByRole('button', { name: 'Move the queued message up' }));
    await window.host.asked('turn/move');
    expect(window.host.last('turn/move')).toEqual({ sessionId: 's1', turnId: 't3', before: 't2' });
  });

  it('changes a queued message in its place, and Escape leaves it', async () => {
    const window = await openComposer();
    window.host.answer('turn/edit-queued', () => ({}));
    run(window, [aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then the changelog' })]);
    await window.user.click(screen.getByRole('button', { name: 'Edit' }));
    await window.user.keyboard('x{Escape}');
    expect(window.host.count('turn/edit-queued')).toBe(0);
    expect(window.host.count('turn/stop')).toBe(0);
    await window.user.click(screen.getByRole('button', { name: 'Edit' }));
    await window.user.type(screen.getByRole('textbox', { name: 'Queued message' }), ' too{Enter}');
    await window.host.asked('turn/edit-queued');
    expect(window.host.last('turn/edit-queued')).toEqual({
      sessionId: 's1',
      turnId: 't2',
      text: 'Then the changelog too',
    });
  });

  it('gives the keyboard back to the box after a queued message was changed', async () => {
    const window = await openComposer();
    run(window, [aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then the changelog' })]);
    await window.user.click(screen.getByRole('button', { name: 'Edit' }));
    await window.user.keyboard('x{Escape}');
    expect(document.activeElement).toBe(window.box);
  });

  it('leaves Enter and Escape to an input method that composes a change', async () => {
    const window = await openComposer();
    run(window, [aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then the changelog' })]);
    await window.user.click(screen.getByRole('button', { name: 'Edit' }));
    await window.user.keyboard('に');
    const field = screen.getByRole('textbox', { name: 'Queued message' });
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field, { key: 'Escape', keyCode: 229 });
    expect(window.host.count('turn/edit-queued')).toBe(0);
    expect(screen.getByRole('textbox', { name: 'Queued message' })).toBe(field);
  });

  it('loses no word of a change that comes too late', async () => {
    const window = await openComposer();
    run(window, [aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then the changelog' })]);
    await window.user.type(window.box, 'half a thought');
    await window.user.click(screen.getByRole('button', { name: 'Edit' }));
    await window.user.keyboard(', in one line');
    run(window, [aTurn({ status: 'finished' }), aTurn({ id: 't2', text: 'Then the changelog' })]);
    expect(window.box.value).toBe('half a thought\n\nThen the changelog, in one line');
    expect(window.stores.ui.getState().notices.map(({ message }) => message)).toEqual([
      'The message was sent before your change was kept.',
    ]);
  });

  it('does not call a turn queued that is about to start', async () => {
    const window = await openComposer();
    run(window, [aTurn({ status: 'queued' })]);
    expect(screen.queryByRole('list', { name: 'Queued messages' })).toBeNull();
  });
});

describe('a queue that was left when Andiron ended', () => {
  const left = [
    aTurn({ id: 't1', status: 'interrupted' }),
    aTurn({ id: 't2', status: 'queued', text: 'The first', waitsFor: 'person' }),
    aTurn({ id: 't3', status: 'queued', text: 'The second', waitsFor: 'person' }),
  ];

  async function openLeftOver() {
    const window = await openComposer();
    window.host.answer('turn/stop', () => ({})).answer('turn/start', () => ({ turnId: 't4', queued: true }));
    window.host.answer('turn/resume', () => ({}));
    run(window, left);
    return window;
  }

  it('is shown, as not sent', async () => {
    await openLeftOver();
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows).toEqual([
      expect.stringContaining('Not sent: The first'),
      expect.stringContaining('Not sent: The second'),
    ]);
  });

  it('is sent as it stands', async () => {
    const { host, user } = await openLeftOver();
    await user.click(within(screen.getByRole('list')).getByRole('button', { name: 'Send all' }));
    await host.asked('turn/resume');
    expect(host.last('turn/resume')).toEqual({ sessionId: 's1' });
  });

  it('is sent one by one as the person says, also behind a turn that runs (audit-U6)', async () => {
    const window = await openLeftOver();
    run(window, [aTurn(), ...left.slice(1)]);
    const [, second] = screen.getAllByRole('listitem');
    expect(second?.textContent).toContain('Not sent: The second');
    if (second) await window.user.click(within(second).getByRole('button', { name: 'Send now' }));
    await window.host.asked('turn/resume');
    expect(window.host.last('turn/resume')).toEqual({ sessionId: 's1', turnId: 't3' });
    expect(document.activeElement).toBe(window.box);
  });

  it('can be removed', async () => {
    const { host, user } = await openLeftOver();
    const [first] = screen.getAllByRole('button', { name: 'Remove the queued message' });
    if (first) await user.click(first);
    await host.asked('turn/stop');
    expect(host.last('turn/stop')).toEqual({ sessionId: 's1', turnId: 't2' });
  });
});

describe('the chips', () => {
  it('show what the next turn will use', async () => {
    await openComposer();
    expect(screen.getByRole('button', { name: 'Profile: Developer' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Model: qwen3:8b' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Approvals: Ask before changes' })).toBeTruthy();
  });

  it('name the model that would run, however the list is sorted for the eye', async () => {
    const { stores } = await openComposer();
    act(() => {
      const models = [aModel({ name: 'zeta:9b' }), aModel({ name: 'alpha:4b' })];
      stores.engine.setState({ engine: anEngine({ models }) });
      stores.host.setState({ profiles: [aProfile({ models: ['gone'] })] });
    });
    expect(screen.getByRole('button', { name: 'Model: zeta:9b' })).toBeTruthy();
  });

  it('lead from an empty menu of models to where one is got, and to Ollama where none runs (audit-U20)', async () => {
    const { user, stores } = await openComposer();
    act(() => stores.engine.setState({ engine: anEngine({ models: [] }) }));
    await user.click(screen.getByRole('button', { name: 'Model: No model' }));
    expect(screen.queryByRole('menuitem', { name: 'Set up Ollama' })).toBeNull();
    await user.click(await screen.findByRole('menuitem', { name: 'Get a model' }));
    expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'models' });
    const absent = anEngine({ status: { kind: 'absent', tried: [] }, models: [] });
    act(() => stores.engine.setState({ engine: absent }));
    await user.click(screen.getByRole('button', { name: 'Model: No model' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Set up Ollama' }));
    expect(stores.ui.getState()).toMatchObject({ view: 'session', firstRun: { shown: 'open' } });
  });

  it('do not call a model server stopped that they do not know of yet', async () => {
    const { user, stores } = await openComposer();
    act(() => stores.engine.setState({ engine: null }));
    await user.click(screen.getByRole('button', { name: 'Model: Model' }));
    expect(await screen.findByText('Connecting to the model service')).toBeTruthy();
    expect(screen.queryByRole('menuitem')).toBeNull();
  });

  it('go round what this session may do without asking, with Alt+P', async () => {
    const { user, host, stores, commands } = await openComposer();
    const modes = ['auto_read', 'accept_edits', 'plan_only', 'autonomous', 'ask'];
    host.answer('session/update', ({ approvals }) => ({ session: aSession({ approvals }) }));
    stores.host.setState({ defaults: { profileId: 'developer', workspace: '/w', isSandboxed: true } });
    await user.click(screen.getByRole('textbox', { name: 'Message' }));
    for (const [at, mode] of modes.slice(1).entries()) {
      await commands.run('session/next-approvals');
      await host.asked('session/update', at + 1);
      expect(host.last('session/update')).toEqual({ sessionId: 's1', approvals: mode });
      const session = aSession({ approvals: mode as ApprovalMode });
      act(() => applySessionSnapshot(stores.session, aSnapshot({ session })));
    }
    expect(screen.getByRole('button', { name: 'Approvals: Ask every time' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  });

  it('offer no work alone where commands are not sandboxed, and say why', async () => {
    const { user, host } = await openComposer();
    await user.click(screen.getByRole('button', { name: 'Approvals: Ask before changes' }));
    const alone = await screen.findByRole('menuitemradio', { name: /^Work alone.*Needs a sandbox/ });
    expect(alone.getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('menuitemradio', { name: /^Ask every time/ }));
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', approvals: 'ask' });
  });

  it('take the choice of the profile as no choice', async () => {
    const { user, host } = await openComposer();
    await user.click(screen.getByRole('button', { name: /^Approvals/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: /Set in the profile Developer/ }));
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', approvals: null });
  });

  it('choose a profile and a model by keyboard', async () => {
    const { user, host } = await openComposer();
    screen.getByRole('button', { name: 'Profile: Developer' }).focus();
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('menuitemradio', { name: /^Writer/ }));
    await host.asked('session/set-profile');
    expect(host.last('session/set-profile')).toEqual({ sessionId: 's1', profileId: 'writer' });
    await user.click(screen.getByRole('button', { name: /^Model/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: /^llama3:8b/ }));
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', model: 'llama3:8b' });
  });
});

describe('the price of another profile', () => {
  it.each([
    ['stands beside it before it is chosen: what is loaded, as the engine reckons, and read again', 1],
    ['is the answer of the engine also where it gives less context than was asked for', 0.5],
  ])('%s', async (_, share) => {
    const window = await openComposer();
    window.engine.answer(
      'model/price',
      ({ model, contextTokens }: { model: string; contextTokens: number }) => ({
        model,
        contextTokens: contextTokens * share,
        loads: true,
        loadBytes: 6 * 1024 ** 3,
        loadMs: 9000,
        unloads: ['qwen3:8b'],
        verdict: 'fits',
      }),
    );
    act(() => {
      window.stores.host.setState({
        profiles: [
          aProfile(),
          aProfile({ id: 'patient', name: 'Patient', maxIterations: 90, description: 'Same, longer' }),
          aProfile({ id: 'other', name: 'Other', models: ['llama3:8b'], description: 'Another model' }),
          aProfile({ id: 'plain', name: 'Plain', description: '' }),
        ],
      });
      const usage = [aUsage({ promptTokens: 12_000 })];
      const turns = [aTurn({ status: 'finished', usage })];
      applySessionSnapshot(window.stores.session, aSnapshot({ turns }));
    });
    await act(() => settled());
    await window.user.click(screen.getByRole('button', { name: /^Profile/ }));
    expect(screen.getByRole('menuitemradio', { name: /^Patient/ }).textContent).toContain(
      'Free: same prompt',
    );
    expect(screen.getByRole('menuitemradio', { name: /^Plain/ }).textContent).toBe(
      'PlainFree: same prompt, same model.',
    );
    const words = screen.getByRole('menuitemradio', { name: /^Other/ }).textContent;
    expect(words).toContain('Unloads qwen3:8b first, loads llama3:8b, 6.0 GB, about 9 s');
    expect(words).toContain('re-reads about 12,000 tokens');
  });
});
