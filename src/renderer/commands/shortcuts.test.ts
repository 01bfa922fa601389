import { describe, expect, it } from 'vitest';
import { createKeysStore } from '../stores/keys-store.ts';
import { MemoryStorage, openTestWindow } from '../testing/window-kit.tsx';
import { commandNames } from './commands.ts';

const aWindow = async () => {
  const { commands, stores } = await openTestWindow();
  const change = (changes: Record<string, string | null | undefined>) =>
    commands.run('shortcut/change', { changes });
  return { ...commands, stores, change };
};

describe('the shortcuts of a window', () => {
  it('are those that the commands come with, until the person chooses others', async () => {
    const { shortcuts, change } = await aWindow();
    expect(shortcuts.of('session/search')).toBe('Mod+Shift+F');
    await change({ 'session/search': 'Alt+S' });
    expect([shortcuts.of('session/search'), shortcuts.changed('session/search')]).toEqual(['Alt+S', true]);
    await change({ 'session/search': null });
    expect(shortcuts.of('session/search')).toBeNull();
    await change({ 'session/search': undefined });
    expect([shortcuts.of('session/search'), shortcuts.changed('session/search')]).toEqual([
      'Mod+Shift+F',
      false,
    ]);
  });

  it('are swapped: whoever had the keys gets the others', async () => {
    const { shortcuts, change } = await aWindow();
    await change(shortcuts.swap('view/left', 'Mod+J'));
    expect([shortcuts.of('view/left'), shortcuts.of('view/right')]).toEqual(['Mod+J', 'Mod+B']);
    await change(shortcuts.swap('view/left', 'Mod+B'));
    expect([shortcuts.changed('view/left'), shortcuts.changed('view/right')]).toEqual([false, false]);
  });

  it('leave Escape where it is, whatever was stored', async () => {
    const { shortcuts, change } = await aWindow();
    await change({ 'turn/stop': 'Mod+E' });
    expect([shortcuts.of('turn/stop'), shortcuts.fixed('turn/stop')]).toEqual(['Escape', true]);
  });

  it('each belong to one command, but for Escape', async () => {
    const { shortcuts } = await aWindow();
    const keys = shortcuts.ids
      .flatMap((id) => [shortcuts.of(id), shortcuts.alsoOf(id)])
      .filter((each) => each !== null && each !== 'Escape');
    expect(keys).toHaveLength(new Set(keys).size);
  });
});

describe('names', () => {
  it('are there for every command that needs nothing said, and for no other', async () => {
    const { registry } = await aWindow();
    const unknown = Object.keys(commandNames).filter((id) => !(id in registry));
    const nameless = Object.entries(registry)
      .filter(([id, { shortcut }]) => shortcut !== null && !(id in commandNames))
      .map(([id]) => id);
    expect({ unknown, nameless }).toEqual({ unknown: [], nameless: [] });
  });
});

describe('what is kept', () => {
  it('survives a reload', () => {
    const storage = new MemoryStorage();
    createKeysStore(storage).setState({ rebound: { 'view/left': 'Alt+L', 'view/right': null } });
    expect(createKeysStore(storage).getState().rebound).toEqual({ 'view/left': 'Alt+L', 'view/right': null });
  });

  it.each(['nonsense', '[]', '{"rebound":7,"recent":"x"}', '{"rebound":{"view/left":3},"recent":[1]}'])(
    'is as new where it cannot be read: %s',
    (json) => {
      const storage = new MemoryStorage();
      storage.write('andiron.keys', json);
      expect(createKeysStore(storage).getState()).toEqual({ rebound: {}, recent: [] });
    },
  );
});
