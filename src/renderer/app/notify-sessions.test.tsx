import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { SessionSummary } from '../../protocol/model.ts';
import type { Notifier } from '../commands/notifier.ts';
import { NotificationsPane } from '../features/settings/notifications-pane.tsx';
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
  expect(notes.words()).toEqual([
    'B: Andiron needs your answer.',
    'B: Andiron has finished.',
    'B: The turn failed. Open it to see why.',
  ]);
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
  expect(notes.words()).toEqual(['A: Andiron needs your answer.', 'A: Andiron has finished.']);
});

it('a conversation of another person is notified of only when it asks the owner (audit-U15)', async () => {
  const { notes, show } = await watched();
  const place = { platform: 'telegram', channel: 'kitchen', thread: '' };
  show({ id: 'c', title: 'C', place, status: 'running' });
  show({ id: 'c', title: 'C', place, status: 'asking' });
  show({ id: 'c', title: 'C', place, status: 'idle' });
  expect(notes.words()).toEqual(['C: Andiron needs your answer.']);
});

it('a switch turns notifications off, asks for what the page may not do yet, and says what blocks them (audit-U15)', async () => {
  const user = userEvent.setup();
  const { notes, show, stores, ...app } = await watched();
  renderIn({ stores, ...app }, <NotificationsPane />);
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

const time = (hours: number): string => `${String(hours % 24).padStart(2, '0')}:00`;

it('quiet hours and a kind that was turned off show nothing, and what comes after them is shown (audit-U15)', async () => {
  const { notes, show, stores, services } = await watched();
  const hour = new Date(services.now()).getHours();
  const quietHours = { on: true, from: time(hour), to: time(hour + 1) };
  stores.ui.setState({ quietHours });
  show({ id: 'b', title: 'B', status: 'asking' });
  stores.ui.setState({ quietHours: { ...quietHours, on: false }, mutedNotes: ['ended'] });
  show({ id: 'b', title: 'B', status: 'idle' });
  show({ id: 'b', title: 'B', status: 'asking' });
  expect(notes.words()).toEqual(['B: Andiron needs your answer.']);
});

it('a person who was never asked is offered notifications once, when the first would have been shown (audit-U15)', async () => {
  const notes = new ShownNotes();
  notes.now = 'default';
  const { show, stores, commands } = await watched(notes);
  const offers = () => stores.ui.getState().notices.filter(({ offersNotes }) => offersNotes);
  expect(offers()).toEqual([]);
  show({ id: 'b', title: 'B', status: 'asking' });
  expect(offers()).toMatchObject([{ message: '“B” has news' }]);
  const [notice] = offers();
  await act(() => commands.run('notice/dismiss', { id: notice?.id ?? 0 }));
  show({ id: 'b', title: 'B', status: 'idle' });
  expect([offers(), notes.shown]).toEqual([[], []]);
});

it('kinds and quiet hours are set in plain rows, and a time that is none is not taken (audit-U15)', async () => {
  const user = userEvent.setup();
  const { stores, ...app } = await watched();
  renderIn({ stores, ...app }, <NotificationsPane />);
  await user.click(screen.getByRole('switch', { name: 'Finished' }));
  await user.click(screen.getByRole('switch', { name: 'Quiet hours' }));
  const begin = screen.getByRole('textbox', { name: 'Quiet hours begin at' });
  await user.clear(begin);
  await user.type(begin, '25:00{Enter}');
  expect(stores.ui.getState().quietHours).toEqual({ on: true, from: '22:00', to: '08:00' });
  await user.clear(begin);
  await user.type(begin, '23:30{Enter}');
  expect(stores.ui.getState()).toMatchObject({
    mutedNotes: ['ended'],
    quietHours: { on: true, from: '23:30', to: '08:00' },
  });
});
