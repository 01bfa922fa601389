import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openComposer } from '../../testing/composer-kit.tsx';
import { settled } from '../../testing/fake-server.ts';
import { aModel, anEngine, aProfile, aTurn } from '../../testing/fixtures.ts';

type Box = Awaited<ReturnType<typeof openComposer>>;

const options = (): string[] => screen.queryAllByRole('option').map((option) => option.textContent ?? '');
const active = (): string => {
  const id = screen.getByRole('textbox', { name: 'Message' }).getAttribute('aria-activedescendant');
  return (id !== null && document.getElementById(id)?.textContent) || '';
};

describe('earlier messages', () => {
  const said = [
    aTurn({ id: 't1', text: 'First of all', status: 'finished' }),
    aTurn({ id: 't2', text: 'And\nthen', status: 'running' }),
    aTurn({ id: 't3', text: 'Later', status: 'queued' }),
  ];

  it('come with the arrow keys, and what was not sent is there again at the end', async () => {
    const { user, box, say } = await openComposer();
    say(said);
    await user.type(box, 'half a thought');
    await user.keyboard('{ArrowUp}');
    expect(box.value).toBe('Later');
    await user.keyboard('{ArrowUp}');
    expect(box.value).toBe('And\nthen');
    // Its second line is below the caret.
    await user.keyboard('{ArrowDown}');
    expect(box.value).toBe('And\nthen');
    act(() => box.setSelectionRange(0, 0));
    await user.keyboard('{ArrowUp}');
    expect(box.value).toBe('First of all');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(box.value).toBe('half a thought');
  });

  it('do not come while the caret is below the first line', async () => {
    const { user, box, say } = await openComposer();
    say(said);
    await user.type(box, 'one{Shift>}{Enter}{/Shift}two');
    await user.keyboard('{ArrowUp}');
    expect(box.value).toBe('one\ntwo');
  });

  it('leave what was not sent in the box when one of them is sent', async () => {
    const { user, box, host, say } = await openComposer();
    say(said.slice(0, 1));
    await user.type(box, 'half a thought');
    await user.keyboard('{ArrowUp}{Enter}');
    await host.asked('turn/start');
    expect(host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'First of all',
    });
    expect(box.value).toBe('half a thought');
  });
});

describe('Mod+Enter', () => {
  it('sends too', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, 'Hello{Control>}{Enter}{/Control}');
    await host.asked('turn/start');
    expect(host.last('turn/start')).toMatchObject({ text: 'Hello' });
  });
});

const name = async (box: Box, words: string): Promise<void> => {
  await box.user.type(box.box, words);
  await act(() => settled());
};

describe('a file that is named', () => {
  const found = { files: ['src/lease.ts', 'docs/my lease.md'], complete: true };

  it('is chosen from a list by keyboard and stands in the text as plain words', async () => {
    const window = await openComposer();
    window.host.answer('workspace/files', () => found);
    await name(window, 'Look at @');
    await window.host.asked('workspace/files');
    await screen.findAllByRole('option');
    expect(window.host.last('workspace/files')).toEqual({ workspace: '/home/ada/kiln', query: '' });
    expect(active()).toContain('lease.ts');
    await window.user.keyboard('{ArrowDown}');
    expect(active()).toContain('my lease.md');
    await window.user.keyboard('{Enter}');
    expect(window.box.value).toBe('Look at @"docs/my lease.md" ');
    expect(options()).toEqual([]);
    expect(window.host.count('turn/start')).toBe(0);
  });

  it('is asked for once while letters follow quickly, and told how many there are', async () => {
    const window = await openComposer();
    window.host.answer('workspace/files', () => found);
    await name(window, '@lea');
    await screen.findAllByRole('option');
    expect(window.host.count('workspace/files')).toBeLessThan(4);
    expect(screen.getByText('2 files. Arrow keys choose, Enter takes.')).toBeTruthy();
  });

  it('is taken with Tab, in the place of what was written', async () => {
    const window = await openComposer();
    window.host.answer('workspace/files', () => found);
    await name(window, 'See @le now{ArrowLeft>4/}');
    await screen.findAllByRole('option');
    await window.user.keyboard('{Tab}');
    expect(window.box.value).toBe('See @src/lease.ts now');
  });

  it('stays as it was written with Escape, which stops nothing', async () => {
    const window = await openComposer();
    window.say([aTurn()]);
    window.host.answer('workspace/files', () => found).answer('turn/stop', () => ({}));
    await name(window, '@le');
    await screen.findAllByRole('option');
    await window.user.keyboard('{Escape}');
    expect(options()).toEqual([]);
    expect(window.box.value).toBe('@le');
    expect(window.host.count('turn/stop')).toBe(0);
    await window.user.keyboard('{Escape}');
    await window.host.asked('turn/stop');
  });

  it('is sent as words when none is called so', async () => {
    const window = await openComposer();
    window.host.answer('workspace/files', () => ({ files: [], complete: true }));
    await name(window, '@nobody');
    await screen.findAllByText('No file matches “nobody”');
    await window.user.keyboard('{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toMatchObject({ text: '@nobody' });
  });

  it('is no answer to fewer letters that does not match any more', async () => {
    const window = await openComposer();
    window.host.answer('workspace/files', ({ query }: { query: string }) =>
      query === '' ? found : { files: [], complete: true },
    );
    await name(window, '@');
    await screen.findAllByRole('option');
    await window.user.keyboard('doc');
    expect(options()).toEqual(['my lease.mddocs']);
  });
});

describe('a command that is written', () => {
  it('is listed with what it does, and runs with Enter', async () => {
    const { user, box, stores } = await openComposer();
    await user.type(box, '/');
    const list = screen.getByRole('listbox', { name: 'Commands' });
    expect(within(list).getByText('Open the settings')).toBeTruthy();
    await user.keyboard('sett{Enter}');
    expect(stores.ui.getState().view).toBe('settings');
    expect(stores.ui.getState().drafts).toEqual({});
  });

  it('that cannot run now says why, and stays', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, '/stop');
    const [stop] = screen.getAllByRole('option');
    expect(stop?.getAttribute('aria-disabled')).toBe('true');
    expect(stop?.textContent).toContain('No turn is running');
    await user.keyboard('{Enter}');
    expect(box.value).toBe('/stop');
    expect(host.count('turn/start')).toBe(0);
  });

  it('takes words: what is chosen of them runs', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, '/mod{Enter}');
    expect(box.value).toBe('/model ');
    await user.keyboard('llama');
    expect(options()).toHaveLength(1);
    await user.keyboard('{Enter}');
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', model: 'llama3:8b' });
    expect(box.value).toBe('');
  });

  it('is text when it is unknown', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, '/etc/hosts{Enter}');
    await host.asked('turn/start');
    expect(host.last('turn/start')).toMatchObject({ text: '/etc/hosts' });
  });

  it('is text once it was left with Escape', async () => {
    const { user, box, host } = await openComposer();
    await user.type(box, '/new');
    await user.keyboard('{Escape}{Enter}');
    await host.asked('turn/start');
    expect(host.last('turn/start')).toMatchObject({ text: '/new' });
  });

  it('is taken with the mouse, and the keyboard stays in the box', async () => {
    const { user, box } = await openComposer();
    await user.type(box, '/');
    await user.pointer({ keys: '[MouseLeft]', target: screen.getByRole('option', { name: /^\/rename/ }) });
    expect(box.value).toBe('/rename ');
    expect(document.activeElement).toBe(box);
  });
});

describe('the models', () => {
  it('are searched when there are many, with what each is and what it costs', async () => {
    const { user, host, stores } = await openComposer();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const models = names.map((name) => aModel({ name, capabilities: ['completion', 'tools', 'vision'] }));
    act(() => stores.engine.setState({ engine: anEngine({ models: [aModel(), ...models] }) }));
    await user.click(screen.getByRole('combobox', { name: /^Model/ }));
    const search = await screen.findByRole('combobox', { name: 'Search models' });
    expect(screen.getAllByRole('option')).toHaveLength(11);
    await user.type(search, 'qwen');
    expect(options()).toEqual([expect.stringContaining('qwen3:8b')]);
    await user.clear(search);
    await user.type(search, 'g');
    const [first] = options();
    expect(first).toContain('Tools, images');
    expect(first).toContain('loads 5.0 GB');
    await user.keyboard('{Enter}');
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', model: 'g' });
  });

  it('are drawn and priced up to a bound of 20,000, and any of them is found by its name (audit-S23)', async () => {
    const { user, host, engine, stores } = await openComposer();
    const models = Array.from({ length: 20_000 }, (_, index) => aModel({ name: `m${String(index)}:latest` }));
    act(() => stores.engine.setState({ engine: anEngine({ models }) }));
    await user.click(screen.getByRole('combobox', { name: /^Model/ }));
    const search = await screen.findByRole('combobox', { name: 'Search models' });
    expect(screen.getAllByRole('option').length).toBeLessThanOrEqual(201);
    expect(engine.count('model/price')).toBeLessThanOrEqual(100);
    await user.click(search);
    await user.paste('m19999');
    expect(options()).toEqual([expect.stringContaining('m19999:latest')]);
    await user.keyboard('{Enter}');
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 's1', model: 'm19999:latest' });
  });

  it('are told by how they come to their tools in the chosen profile', async () => {
    const { user, stores } = await openComposer();
    const talker = aModel({ capabilities: ['completion', 'vision'] });
    act(() => stores.engine.setState({ engine: anEngine({ models: [talker] }) }));
    await user.click(screen.getByRole('button', { name: /^Model/ }));
    expect(await screen.findByText('Constrained tool calls, images')).toBeTruthy();
    act(() => stores.host.setState({ profiles: [aProfile({ calls: 'native' })] }));
    expect(screen.getByText('No tools, images')).toBeTruthy();
  });
});
