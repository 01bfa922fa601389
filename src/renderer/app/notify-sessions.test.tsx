import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { SessionSummary } from '../../protocol/model.ts';
import type { Notifier } from '../commands/notifier.ts';
import { AppearancePane } from '../features/settings/appearance-pane.tsx';
import { aSession } from '../testing/fixtures.ts';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { notifySessions } from './notify-sessions.ts';
import { pageNotifier } from './page-notifier.ts';

afterEach(() => vi.restoreAllMocks());

/** As a desktop that shows what it is given. */
class ShownNotes implements Notifier {
  readonly shown: Parameters<Notifier['show']>[0][] = [];
  now: NotificationPermission = 'granted';
  readonly permission = (): NotificationPermission => this.now;
  readonly request = (): Promise<NotificationPermission> => Promise.resolve(this.now);
  readonly show: Notifier['show'] = (note) => void this.shown.push(note);
  words = (): string[] => this.shown.map(({ title, body }) => `${title}: ${body}`);
}

async function watched(notes = new ShownNotes()) {
  const app = await openTestWindow(null, notes);
  const show = (...sessions: Partial<SessionSummary>[]): void =>
    act(() => app.stores.host.setState({ sessions: sessions.map((each) => aSession(each)) }));
  show({ id: 'a', title: 'A', status: 'running' }, { id: 'b', title: 'B', status: 'running' });
  app.stores.ui.setState({ openSessionId: 'a', view: 'session' });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  notifySessions(window, app.services, app.commands.run);
  return { ...app, notes, show };
}

it('a session in the background that asks, ends or fails is notified of once, and a click opens it (audit-U15)', async () => {
  const { notes, show, stores } = await watched();
  const [a, b] = [
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
  ];
  show({ ...a, status: 'asking' }, { ...b, status: 'asking' });
  show({ ...a, status: 'asking' }, { ...b, status: 'asking', updatedAt: 1 });
  show({ ...a, status: 'idle' }, { ...b, status: 'idle' });
  show({ ...a, status: 'idle' }, { ...b, status: 'running' });
  show({ ...a, status: 'idle' }, { ...b, status: 'failed' });
  // The one that is shown in a window with the focus is seen as it is.
  expect(notes.words()).toEqual(['B: Needs your answer.', 'B: The turn has ended.', 'B: The turn failed.']);
  notes.shown[0]?.onClick();
  expect(stores.ui.getState()).toMatchObject({ openSessionId: 'b', view: 'session' });
});

it('the session that is shown is notified of too while the window is not in front, or on another page (audit-U15)', async () => {
  const { notes, show, stores } = await watched();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  show({ id: 'a', title: 'A', status: 'asking' });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  stores.ui.setState({ view: 'settings' });
  show({ id: 'a', title: 'A', status: 'idle' });
  expect(notes.words()).toEqual(['A: Needs your answer.', 'A: The turn has ended.']);
});

it('a conversation of another person is notified of only when it asks the owner (audit-U15)', async () => {
  const { notes, show } = await watched();
  const place = { platform: 'telegram', channel: 'kitchen', thread: '' };
  show({ id: 'c', title: 'C', place, status: 'running' });
  show({ id: 'c', title: 'C', place, status: 'asking' });
  show({ id: 'c', title: 'C', place, status: 'idle' });
  expect(notes.words()).toEqual(['C: Needs your answer.']);
});

it('a switch turns notifications off, asks for what the page may not do yet, and says what blocks them (audit-U15)', async () => {
  const user = userEvent.setup();
  const { notes, show, stores, ...app } = await watched();
  renderIn({ stores, ...app }, <AppearancePane />);
  const name = { name: 'Desktop notifications' };
  const isOn = () => screen.getByRole('switch', name).getAttribute('aria-checked');
  expect(isOn()).toBe('true');
  await user.click(screen.getByRole('switch', name));
  show({ id: 'b', title: 'B', status: 'asking' });
  expect([isOn(), notes.words()]).toEqual(['false', []]);
  notes.now = 'denied';
  await user.click(screen.getByRole('switch', name));
  await screen.findByText(/^Your browser blocks them/);
  expect(isOn()).toBe('false');
});

it('a click on a notification brings the window of the desktop app to the front (audit-U15)', () => {
  class PageNotification extends EventTarget {
    static readonly permission = 'granted';
    static last: PageNotification | null = null;
    readonly close = vi.fn<() => void>();
    constructor() {
      super();
      PageNotification.last = this;
    }
  }
  const page = Object.assign(Object.create(window) as Window, {
    Notification: PageNotification,
    focus: vi.fn<() => void>(),
  });
  const desktop = new FakeDesktop('linux');
  const onClick = vi.fn<() => void>();
  pageNotifier(page as never, desktop)?.show({ title: 'A', body: 'B', tag: 'a', onClick });
  PageNotification.last?.dispatchEvent(new Event('click'));
  expect([desktop.asked, onClick.mock.calls.length]).toEqual([['show'], 1]);
});
