/**
 * Nothing that a model, a tool, a file or the model server says becomes markup, a request, a navigation, a note or an
 * approval: some 470 malicious texts, or a third of them, on every way into the window, in a real Chromium that counts
 * what happens. Each counter is tripped first, so that a detector which sees nothing cannot pass.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startBaitServer, type BaitServer } from './bait-server.ts';
import { asWindow, startHostileHouse, type HostileHouse } from './hostile-house.ts';
import { maliciousTexts, markupKinds } from './malicious-texts.ts';
import { PageWatch, sentinel, type Counts } from './page-watch.ts';
import { AndironPage } from './page.ts';

const nothing: Counts = {
  scripts: 0,
  violations: 0,
  requests: 0,
  navigations: 0,
  popups: 0,
  dialogs: 0,
  markup: 0,
};
let browser: Browser;
let bait: BaitServer;
let house: HostileHouse;
let watch: PageWatch;
let view: AndironPage;
let hitsOfControls = 0;
const tall = { width: 1440, height: 5_000 };

beforeAll(async () => {
  browser = await launchChromium();
  bait = await startBaitServer();
  house = await startHostileHouse(bait.texts);
  // So high that all of a reply is on screen, and drawn small: nobody looks at the pixels, which take most of the time.
  const context = await browser.newContext({ viewport: tall, deviceScaleFactor: 0.2 });
  watch = await PageWatch.on(context, house.server.origin);
  view = new AndironPage(await watch.open(house.server.address()));
  await view.ready();
});
afterAll(async () => {
  await browser.close();
  await house.close();
  await bait.close();
});

/** Opens every row and goes through all of the transcript, as a person who reads it all. */
async function readAll(): Promise<void> {
  await view.page.evaluate(async () => {
    const log = document.querySelector<HTMLElement>('[role=log]');
    if (!log) throw new Error('There is no transcript.');
    // Rows are measured as they come, which moves what is read: so it counts only when it stays.
    for (let still = 0; still < 5;) {
      log.scrollTop = 0;
      await new Promise(requestAnimationFrame);
      still = log.scrollTop === 0 ? still + 1 : 0;
    }
    let reached: string | undefined;
    for (let still = 0; still < 5;) {
      for (const row of log.querySelectorAll<HTMLElement>('[aria-expanded=false]:not([aria-haspopup])'))
        row.click();
      // Links that are none.
      for (const word of log.querySelectorAll<HTMLElement>('p span[title]')) word.click();
      const last = [...log.querySelectorAll<HTMLElement>('[data-index]')].at(-1);
      last?.scrollIntoView({ block: 'start' });
      await new Promise(requestAnimationFrame);
      still = last?.dataset['index'] === reached ? still + 1 : 0;
      reached = last?.dataset['index'];
    }
  });
}

const tell = (what: string, figures: object): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);

/**
 * Of one batch. Only what is on screen is drawn, and on a busy machine rows that come late are passed over: it is read
 * again then. What is never drawn stays missing however often all is read.
 */
async function readUntilSeen(index: number, letters: readonly string[]): Promise<void> {
  const marks = (house.batches[index] ?? []).flatMap(({ id }) => letters.map((letter) => letter + id));
  const unseen = async (): Promise<string[]> => {
    await readAll();
    const seen = await seenIn(view.page);
    return marks.filter((mark) => !seen.has(mark));
  };
  await expect.poll(unseen).toEqual([]);
}

const allOf = (letter: string): string[] => bait.texts.map(({ id }) => letter + id);
const missing = (seen: ReadonlySet<string>, letter: string): string[] =>
  allOf(letter).filter((mark) => !seen.has(mark));

const seenIn = async (page: Page): Promise<Set<string>> =>
  new Set(await page.evaluate(() => [...window.seen]));

async function asOtherWindow<T>(use: (rpc: RpcClient<HostMethods>) => Promise<T>): Promise<T> {
  return asWindow(house, await view.secret(), use);
}

describe('every counter is tripped first', () => {
  test('by the same texts in a page that takes them for markup', async () => {
    const context = await browser.newContext();
    const careless = await PageWatch.on(context, bait.url);
    const page = await careless.open(`${bait.url}/`);
    const before = bait.hits();
    const ids = bait.texts.filter(({ kind }) => markupKinds.has(kind)).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += framesAtOnce) {
      await page.evaluate(showFrames, ids.slice(at, at + framesAtOnce));
    }
    const live = new Set(
      careless.trips.flatMap((trip) => /^(?:scripts|markup).*careless\/(\d{3})/.exec(trip)?.[1] ?? []),
    );
    const { counts } = careless;
    tell('in a careless page', {
      texts: bait.texts.length,
      live: live.size,
      hits: bait.hits() - before,
      ...counts,
    });
    const all = maliciousTexts({ js: sentinel, url: bait.url });
    expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThanOrEqual(300);
    const share = bait.texts.length / all.length;
    expect(live.size).toBeGreaterThan(150 * share);
    expect(counts.scripts).toBeGreaterThan(40 * share);
    expect(bait.hits() - before).toBeGreaterThan(40 * share);
    expect(counts.navigations).toBeGreaterThan(300 * share);
    await context.close();
  });

  test.each([{ bypassCSP: false }, { bypassCSP: true }])('by hand in the window, %o', async (options) => {
    const context = await browser.newContext(options);
    const control = await PageWatch.on(context, house.server.origin);
    const page = await control.open(house.server.address());
    await new AndironPage(page).ready();
    expect(control.trips).toEqual([]);
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = `${url}/frame`;
      const picture = document.createElement('img');
      picture.src = `${url}/pixel`;
      document.body.append(frame, picture);
      setTimeout(() => {
        // Thrown where the policy holds.
        document.body.insertAdjacentHTML('beforeend', `<img src="${url}/pixel" onerror="ran()">`);
      });
      setTimeout(() => globalThis.alert('hello'));
    }, bait.url);
    await page.evaluate(() => void globalThis.open('about:blank'));
    await page.evaluate(() => (globalThis.location.hash = '#elsewhere'));
    const { counts } = control;
    const always: (keyof Counts)[] = ['requests', 'navigations', 'popups', 'dialogs', 'markup'];
    const tripped = [...always, options.bypassCSP ? 'scripts' : 'violations'] as const;
    await expect.poll(() => tripped.filter((counter) => counts[counter] === 0)).toEqual([]);
    await context.close();
    hitsOfControls = bait.hits();
  });
});

const framesAtOnce = 60;

/** Each text in a frame of its own, until all have loaded or had time to. */
async function showFrames(ids: string[]): Promise<void> {
  const loaded = ids.map((id) => {
    const frame = document.createElement('iframe');
    frame.src = `/careless/${id}`;
    document.body.append(frame);
    return new Promise((resolve) => {
      frame.addEventListener('load', resolve);
      setTimeout(resolve, 5_000);
    });
  });
  await Promise.all(loaded);
  document.body.replaceChildren();
}

const newSession = async (message: string): Promise<void> => {
  await view.page.getByRole('button', { name: 'New session', exact: true }).click();
  await view.ask(message);
  await view.stop.waitFor();
  await view.turnEnded();
};

const questions = (): Promise<number> => view.page.evaluate(() => window.asked);

/** Nothing was counted since the beginning, and nobody was asked. */
async function expectOnlyText(): Promise<void> {
  expect(watch.trips).toEqual([]);
  expect(watch.counts).toEqual(nothing);
  expect(await questions()).toBe(0);
}

/** Only the rows that are on screen are drawn. */
async function scrollThrough(list: HTMLElement): Promise<void> {
  let box: HTMLElement | null = list;
  while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
  // All of it is on screen.
  if (!box) return;
  for (let top = 0; top < box.scrollHeight; top += box.clientHeight / 2) {
    box.scrollTop = top;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  }
  box.scrollTop = 0;
}

describe('malicious texts in the window', { timeout: 900_000 }, () => {
  test('stream as thinking, text and calls', async () => {
    for (const index of house.batches.keys()) {
      await newSession(`batch ${index}`);
      await readUntilSeen(index, ['S']);
    }
    expect(missing(await seenIn(view.page), 'S')).toEqual([]);
    await expectOnlyText();
  });

  test('come back from the history, with every card open', async () => {
    await watch.reload(view.page);
    await view.ready();
    for (const index of house.batches.keys()) {
      const row = view.sessions.getByRole('button', { name: `batch ${index}` }).first();
      // The rows may still be finding their places after the reload.
      await expect
        .poll(async () => {
          await row.click();
          return row.getAttribute('aria-current');
        })
        .toBe('page');
      await view.transcript.locator('[data-index]').first().waitFor({ state: 'attached' });
      await readUntilSeen(index, ['S', 'K', 'C']);
    }
    const seen = await seenIn(view.page);
    for (const letter of 'SKC') expect([letter, missing(seen, letter)]).toEqual([letter, []]);
    const readable = bait.texts.filter(({ text }) => !text.includes('\0'));
    expect(readable.filter(({ id }) => !seen.has(`F${id}`))).toEqual([]);
    await expectOnlyText();
  });

  test('name files, sessions, models and profiles', async () => {
    await newSession('names');
    await readAll();
    await view.page.getByRole('button', { name: /^Settings/ }).click();
    // The list of sessions is not on screen now, so that it is drawn once and not a thousand times.
    await asOtherWindow(async (rpc) => {
      const named = bait.texts.map(async ({ id, text }) => {
        const { session } = await rpc.call('session/create', {});
        await rpc.call('session/update', { sessionId: session.id, title: `N${id}: ${text}`.slice(0, 200) });
      });
      await Promise.all(named);
    });
    const open = (section: string): Promise<void> =>
      view.page.getByRole('tab', { name: new RegExp(`^${section}`) }).click();
    await open('Models');
    // Of a long list a part is drawn, and more of it when it is asked for.
    const more = view.page.getByRole('button', { name: 'Show more' });
    const unseen = async (): Promise<string[]> => {
      while ((await more.count()) > 0) await more.first().click();
      return missing(await seenIn(view.page), 'M');
    };
    await expect.poll(unseen).toEqual([]);
    for (const section of ['Engine', 'Profiles']) await open(section);
    // What is opened here is in view by itself.
    await view.page.setViewportSize({ width: 1440, height: 900 });
    await view.page.evaluate(openEveryTab);
    await view.page.setViewportSize(tall);
    await view.page.keyboard.press('Escape');
    await view.ready();
    await view.sessions.evaluate(scrollThrough);
    const seen = await seenIn(view.page);
    for (const letter of 'LNMP') expect([letter, missing(seen, letter)]).toEqual([letter, []]);
    await expectOnlyText();
  });

  test('are the errors of the model server', async () => {
    await asOtherWindow(async (rpc) => {
      const { session } = await rpc.call('session/create', {});
      await rpc.call('session/update', { sessionId: session.id, title: 'failures' });
      const sent = house.errors.map((_, index) =>
        rpc.call('turn/start', { sessionId: session.id, text: `fail ${index}` }),
      );
      await Promise.all(sent);
      const open = async (): Promise<number> => {
        const { snapshot } = await rpc.call('session/subscribe', { sessionId: session.id });
        return snapshot.turns.filter(({ closed }) => !closed).length;
      };
      await expect.poll(open, { timeout: 240_000 }).toBe(0);
    });
    await view.sessions.getByRole('button', { name: 'failures' }).first().click();
    await view.transcript
      .getByText(`E${bait.texts.at(-1)?.id}:`)
      .first()
      .waitFor();
    await readAll();
    expect(missing(await seenIn(view.page), 'E')).toEqual([]);
    await expectOnlyText();
  });

  test('are asked about as they are, once there is a real request', async () => {
    await view.page.getByRole('button', { name: 'New session', exact: true }).click();
    await view.ask('ask');
    const card = view.transcript.getByRole('region', { name: 'Approval' });
    await card.getByText('V001:').waitFor();
    await expect.poll(() => card.innerText()).toContain('U+202E');
    expect(await questions()).toBe(1);
    await card.getByRole('button', { name: /^Allow once/ }).click();
    await card.getByText('V002:').first().waitFor();
    await readAll();
    // It is longer than its box, and nothing is allowed that was not seen to its end.
    await card.getByRole('button', { name: /^Show all/ }).click();
    const whole = card.getByRole('group', { name: /V002/ });
    const allow = card.getByRole('button', { name: /^Allow once/ });
    const readOn = async (): Promise<boolean> => {
      await whole.evaluate(async (box) => {
        for (const [top, block] of [
          [0, 'start'],
          [box.scrollHeight, 'end'],
        ] as const) {
          box.scrollTo(0, top);
          box.scrollIntoView({ block });
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }
      });
      return allow.isEnabled();
    };
    await expect.poll(readOn).toBe(true);
    await allow.click();
    await view.turnEnded();
    await readAll();
    expect(watch.trips).toEqual([]);
    expect(await questions()).toBe(2);
  });

  test('become no note: neither in the session nor in what the model reads', async () => {
    const marker = /\[andiron note\]/gi;
    const escaped = /\[\u200bandiron note\]/gi;
    const read = house.sim.truth.requests.flatMap(
      ({ body }) => (body as { messages?: Message[] }).messages ?? [],
    );
    // Andiron's own stand at the end of a message, in words of its own.
    const own =
      /\n\n\[andiron note\] (?=You have \d|\d+ steps are left|This is the last|The goal is still: |The same call)/g;
    const brought = read
      .filter(({ role }) => role !== 'assistant')
      .map(({ content }) => content.replaceAll(own, ''));
    expect(brought.filter((content) => marker.test(content))).toEqual([]);
    expect(brought.filter((content) => escaped.test(content)).length).toBeGreaterThan(10);
    const notes = await asOtherWindow(async (rpc) => {
      const { sessions } = await rpc.call('host/subscribe', {});
      const snapshots = await Promise.all(
        sessions.map(({ id }) => rpc.call('session/subscribe', { sessionId: id })),
      );
      return snapshots.flatMap(({ snapshot }) => snapshot.items.filter((item) => item.kind === 'note'));
    });
    const forged = notes.filter(({ text }) => bait.texts.some((each) => text.includes(each.text)));
    expect(forged).toEqual([]);
    expect(bait.hits()).toBe(hitsOfControls);
    tell('in the window', { texts: bait.texts.length, ...watch.counts, hits: bait.hits() - hitsOfControls });
  });
});

interface Message {
  role: string;
  content: string;
}

/** Every profile's own page, and its prompts, which stand in fields. */
async function openEveryTab(): Promise<void> {
  for (const tab of document.querySelectorAll<HTMLElement>('[role=tabpanel] [role=tab]')) {
    tab.click();
    await new Promise(requestAnimationFrame);
    const pages = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
    pages.find(({ textContent }) => textContent?.startsWith('Prompt'))?.click();
    for (let frame = 0, marks = 0; frame < 20 && marks === 0; frame += 1) {
      await new Promise(requestAnimationFrame);
      for (const { value } of document.querySelectorAll('textarea')) {
        for (const mark of value.match(/^P\d{3}(?=:)/gm) ?? []) {
          window.seen.add(mark);
          marks += 1;
        }
      }
    }
    pages.find(({ textContent }) => textContent?.startsWith('Tools'))?.click();
    await new Promise(requestAnimationFrame);
  }
}
