import { describe, expect, it } from 'vitest';
import { anItem, aSnapshot } from '../testing/fixtures.ts';
import { settled } from '../testing/fake-server.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { applySessionSnapshot, resetSession } from '../stores/session-store.ts';

async function windowOn(index: number) {
  const window = await openTestWindow();
  const { stores } = window;
  stores.ui.setState({ openSessionId: 's1' });
  resetSession(stores.session, 's1');
  applySessionSnapshot(
    stores.session,
    aSnapshot({ items: [anItem('text', { id: `i${index}`, index })], hasOlder: index > 0 }),
  );
  return window;
}

const page = (...indices: number[]) => ({
  items: indices.map((index) => anItem('user', { id: `i${index}`, index })),
  turns: [],
  hasOlder: (indices[0] ?? 0) > 0,
});

describe('commands of the transcript', () => {
  it('fetch the page before the first item, once', async () => {
    const { host, stores, commands } = await windowOn(9);
    host.answer('item/page', () => page(8));
    await Promise.all([commands.run('transcript/older'), commands.run('transcript/older')]);
    expect(host.count('item/page')).toBe(1);
    expect(host.last('item/page')).toMatchObject({ sessionId: 's1', beforeIndex: 9 });
    expect(stores.session.getState().past?.items.map(({ index }) => index)).toEqual([8]);
  });

  it('ask for nothing where everything is there', async () => {
    const { host, commands } = await windowOn(0);
    await commands.run('transcript/older');
    await commands.run('transcript/newer');
    expect(host.count('item/page')).toBe(0);
    expect(commands.registry['transcript/older'].enabled()).toBe(false);
  });

  it('go to the beginning of a long session, and back to its end', async () => {
    const { host, stores, commands } = await windowOn(50_000);
    host.answer('item/page', () => page(0, 1, 2));
    await commands.run('transcript/begin');
    expect(stores.session.getState().past).toMatchObject({ hasOlder: false, hasNewer: true });
    expect(stores.ui.getState().travel).toEqual({ to: 'begin', count: 1 });
    await commands.run('transcript/end');
    expect(stores.session.getState().past).toBeNull();
    expect(stores.ui.getState().travel).toEqual({ to: 'end', count: 2 });
  });

  it('show the page around an item wherever it is, also while another page is on its way', async () => {
    const { host, stores, commands } = await windowOn(50_000);
    let late: (() => void) | undefined;
    host
      .answer('item/place', () => ({ index: 700 }))
      .answer('item/page', ({ beforeIndex }: { beforeIndex: number }) =>
        beforeIndex === 50_000
          ? new Promise((resolve) => (late = () => resolve(page(49_999))))
          : page(699, 700, 701),
      );
    const older = commands.run('transcript/older');
    await settled();
    await commands.run('transcript/page-of', { itemId: 'i700' });
    late?.();
    await older;
    expect(stores.session.getState().past?.items.map(({ index }) => index)).toEqual([699, 700, 701]);
  });

  it('leave everything as it is when the item is nowhere', async () => {
    const { host, stores, commands } = await windowOn(50_000);
    host.answer('item/place', () => ({ index: null }));
    expect(await commands.run('transcript/page-of', { itemId: 'gone' })).toBe(true);
    expect([host.count('item/page'), stores.session.getState().past]).toEqual([0, null]);
  });

  it('drop a page of a session that was left meanwhile', async () => {
    const { host, stores, commands } = await windowOn(9);
    host.answer('item/page', () => {
      resetSession(stores.session, 's2');
      return page(8);
    });
    await commands.run('transcript/older');
    expect(stores.session.getState()).toMatchObject({ sessionId: 's2', past: null, paging: false });
  });
});
