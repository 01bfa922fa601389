import { expect, it } from 'vitest';
import { settled } from '../testing/fake-server.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { followVersion } from './page-effects.ts';

const pageWith = (script: string) =>
  `<!doctype html><head><script type="module" crossorigin src="${script}"></script></head>`;

async function watchedPage(served: string | null, own: string | null = './assets/index-a.js') {
  const window = await openTestWindow();
  let looks = 0;
  followVersion(window.services.host, window.stores.ui, own, async () => {
    looks += 1;
    return served;
  });
  const reconnect = async (): Promise<void> => {
    window.host.drop();
    await settled();
    window.clock.run();
    await settled();
  };
  return { reconnect, looks: () => looks, outdated: () => window.stores.ui.getState().outdated };
}

it('a page whose program was replaced behind it is outdated after the reconnection', async () => {
  const { reconnect, looks, outdated } = await watchedPage(pageWith('./assets/index-b.js'));
  await settled();
  expect([looks(), outdated()]).toEqual([0, false]);
  await reconnect();
  expect([looks(), outdated()]).toEqual([1, true]);
});

it.each([
  ['is the same', pageWith('./assets/index-a.js')],
  ['cannot be had', null],
  ['is something else', 'Sign in again'],
])('a page is not outdated where what is served now %s', async (_, served) => {
  const { reconnect, looks, outdated } = await watchedPage(served);
  await reconnect();
  expect([looks(), outdated()]).toEqual([1, false]);
});

it('a page that was not built is compared with nothing', async () => {
  const { reconnect, looks } = await watchedPage(pageWith('./assets/index-b.js'), null);
  await reconnect();
  expect(looks()).toBe(0);
});
