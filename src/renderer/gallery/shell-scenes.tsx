/** The frame of the window and the list of sessions, at the moments that try them. */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { SessionSummary } from '../../protocol/model.ts';
import { BrokenWindow } from '../app/broken-window.tsx';
import type { App } from '../app/create-app.ts';
import { Shell } from '../app/shell.tsx';
import { ForkDialog } from '../features/sessions/fork-dialog.tsx';
import { idleEngine, openSession, sessionList } from './fixtures.ts';
import { runningSession, stoppedSession } from './session-fixtures.ts';
import { quietDesktop } from './desktop.ts';
import { scene, window, type Moment, type Scene } from './scene.tsx';

const minute = 60_000;
const day = 24 * 60 * minute;

const topics = [
  'Queue design notes',
  'Retry policy',
  'Import old tickets',
  'Worker at 100 % CPU',
  'Read the tracing spec',
  'Dockerfile without root',
  'SQLite busy timeout',
];

const folders = ['/home/ada/code/kiln', '/home/ada/code/andiron', '/home/ada/notes'];

/** As many as a year of work leaves. */
function manySessions(now: number, count: number): SessionSummary[] {
  return Array.from({ length: count }, (_, at) => ({
    ...openSession,
    id: `many_${at}`,
    title: `${topics[at % topics.length]} ${at + 1}`,
    workspace: folders[at % folders.length] ?? openSession.workspace,
    pinned: at === 4 || at === 90,
    updatedAt: now - at * 5 * 60 * minute,
  }));
}

/** Every mark beside another, and titles that no column is made for. */
function markedSessions(now: number): SessionSummary[] {
  const other = (id: string, title: string, ago: number, more: Partial<SessionSummary> = {}) => ({
    ...openSession,
    id,
    title,
    updatedAt: now - ago,
    ...more,
  });
  return [
    { ...stoppedSession(now).session, updatedAt: now },
    other('pin', 'Release checklist 0.9', 2 * day, { pinned: true }),
    other('run', 'Move the queue to streams', minute, { status: 'running' }),
    other('ask', 'Rename config keys', 2 * minute, { status: 'asking' }),
    other('wait', 'Dependency check', 3 * minute, { status: 'queued' }),
    other('done', 'Explain the heartbeat', 4 * minute),
    other('bad', 'Import old tickets', 5 * minute, { status: 'failed' }),
    other('rtl', 'لماذا تنتهي مهلة عقد الإيجار قبل أن يجدده العامل؟', day + minute),
    other('emoji', '🚒 Feuerwehr-Datenschutzgrundverordnungsprüfung für das Löschfahrzeug', day + 2 * minute),
    other('long', 'x'.repeat(200), day + 3 * minute),
    other('code', '<script>alert("title")</script> & "quotes"', day + 4 * minute),
  ];
}

const onDesktop = (id: string, platform: string, moment: Moment): Scene =>
  scene(`shell-${id}`, moment, (app) => (
    <Shell services={{ ...app.services, desktop: quietDesktop(platform) }} />
  ));

/** What only the hand of a person brings about. */
const handled = (id: string, moment: Moment, handle: (root: HTMLElement) => void): Scene =>
  scene(`shell-${id}`, moment, (app) => (
    <Handled handle={handle}>
      <Shell services={app.services} />
    </Handled>
  ));

function Handled({ handle, children }: { handle: (root: HTMLElement) => void; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current) handle(root.current);
  }, [handle]);
  return (
    <div ref={root} style={{ height: '100%' }}>
      {children}
    </div>
  );
}

/** In the list; in the rail, which has no field for a search, such a click opens a session. */
function selectThree(root: HTMLElement): void {
  if (root.querySelector('input[type=search]') === null) return;
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row] > button')].slice(1, 4);
  for (const row of rows) row.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
}

const hit = (id: string, title: string, at: number, snippet: string) => ({
  sessionId: id,
  title,
  itemId: `item_${id}`,
  turnId: 'turn_0',
  by: 'model' as const,
  snippet,
  at,
});

const foundRetry: Moment = (now) => ({
  session: stoppedSession(now),
  ui: {
    search: {
      query: 'retry',
      found: {
        hits: [
          hit(
            's4',
            'Move the queue to streams',
            now - 2 * minute,
            '…a job that fails is put back: the retry waits 200 ms, then doubles up to a minute, and after the eighth one the job is parked…',
          ),
          hit(
            's6',
            'Import old tickets',
            now - 3 * day,
            '…a ticket that fails is put back once; the second retry is the last, and both are in the log…',
          ),
          hit('s7', 'Explain the heartbeat', now - 20 * day, 'Does a Retry renew the lease?'),
        ],
        complete: false,
      },
    },
  },
});

/** Asked for as a person does: where the list is folded away it opens. */
function Searching({ app, children }: { app: App; children: ReactNode }) {
  useLayoutEffect(() => void app.commands.run('session/search'), [app]);
  return children;
}

const lostAgo =
  (ms: number): Moment =>
  (now) => ({
    session: stoppedSession(now),
    host: { connection: 'lost', connectionSince: now - ms },
  });

export const shellScenes: Scene[] = [
  onDesktop('mac', 'darwin', (now) => ({ session: runningSession(now) })),
  onDesktop('windows', 'win32', (now) => ({ session: runningSession(now) })),
  window('menu', (now) => ({ session: runningSession(now), ui: { overlay: 'menu' } })),
  window('sessions-marks', (now) => ({
    session: stoppedSession(now),
    host: { sessions: markedSessions(now) },
    ui: { attention: { working: [], unread: ['done', 'bad'] } },
  })),
  window('sessions-200', (now) => ({
    session: stoppedSession(now),
    host: { sessions: [...sessionList(now, stoppedSession(now).session), ...manySessions(now, 200)] },
    ui: { folder: folders[0] ?? null },
  })),
  scene('window-sessions-found', foundRetry, (app) => (
    <Searching app={app}>
      <Shell services={app.services} />
    </Searching>
  )),
  window('sessions-none', (now) => ({ engine: idleEngine(now), host: { sessions: [] } })),
  window('sessions-loading', (now) => ({
    engine: null,
    host: {
      sessions: [],
      profiles: [],
      defaults: null,
      connection: 'connecting',
      connectionSince: now - 2_000,
    },
  })),
  window('starting-long', (now) => ({
    session: null,
    ui: { openSessionId: 's1' },
    host: {
      sessions: [],
      profiles: [],
      defaults: null,
      connection: 'connecting',
      connectionSince: now - minute,
    },
  })),
  handled('sessions-chosen', (now) => ({ session: stoppedSession(now) }), selectThree),
  window('sessions-import', (now) => ({
    session: stoppedSession(now),
    ui: {
      importProblems: [
        {
          name: 'holiday-photos.json',
          message: 'This is not an exported session.',
          advice: 'Choose a file that Andiron exported.',
        },
      ],
      notices: [
        { id: 1, message: '2 sessions imported', advice: '', news: true },
        { id: 2, message: '“Retry policy” deleted', advice: '', news: true, restores: ['s3'] },
        { id: 3, message: 'The profile could not be saved: disk full', advice: 'Make room, then try again.' },
      ],
    },
  })),
  scene(
    'window-fork-into',
    (now) => ({ session: stoppedSession(now) }),
    (app) => (
      <>
        <Shell services={app.services} />
        <ForkDialog
          session={openSession}
          folders={folders.map((path) => ({ path, name: path, sessions: 1 }))}
          onClose={() => undefined}
        />
      </>
    ),
  ),
  window('reconnecting', lostAgo(3_000)),
  window('host-gone', lostAgo(30_000)),
  window('outdated', (now) => ({ session: stoppedSession(now), ui: { outdated: true } })),
  window('title-long', (now) => {
    const session = stoppedSession(now);
    const title =
      'Find out why lease.test.ts fails about one run in twenty on CI, fix it and prove it with 200 runs';
    const workspace =
      '/home/ada/code/clients/northern-lights/services/kiln/packages/queue-and-lease-management';
    return { session: { ...session, session: { ...session.session, title, workspace } } };
  }),
  window('title-rtl', (now) => {
    const session = stoppedSession(now);
    const title = 'لماذا تنتهي مهلة عقد الإيجار قبل أن يجدده العامل؟';
    return { session: { ...session, session: { ...session.session, title } } };
  }),
  scene(
    'window-broken',
    () => ({}),
    () => (
      <BrokenWindow
        reason="items is not iterable"
        desktop={quietDesktop('win32')}
        onReload={() => undefined}
      />
    ),
  ),
];
