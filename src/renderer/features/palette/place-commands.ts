/** Which commands the palette offers before anything is typed: those of the place where the person is. */
import type { NamedCommandId } from '../../commands/commands.ts';
import type { View } from '../../stores/layout-slice.ts';

/** `begun`: a session without a message yet. */
export type Place = 'asking' | 'working' | 'session' | 'begun' | Exclude<View, 'session'>;

/** Possible only while something waits for them, wherever the person is. */
const urgent: readonly NamedCommandId[] = [
  'connection/retry',
  'engine/start',
  'engine/take-back',
  'model/cancel-load',
  'setup/cancel',
  'exam/cancel',
];

const byPlace: Readonly<Record<Place, readonly NamedCommandId[]>> = {
  asking: ['approval/focus', 'turn/stop', 'session/next-approvals', 'session/new', 'session/search'],
  working: ['turn/stop', 'turn/resume', 'session/new', 'session/search', 'view/find', 'view/slow'],
  session: [
    'session/new',
    'session/search',
    'view/find',
    'current/regenerate',
    'files/review',
    'files/undo-turn',
    'current/fork',
    'session/rename-title',
    'current/pin',
    'current/archive',
    'current/copy',
    'current/compact',
  ],
  begun: [
    'session/choose-workspace',
    'composer/attach',
    'session/search',
    'session/next-approvals',
    'session/import',
    'first-run/open',
  ],
  settings: ['settings/search', 'view/session', 'view/shortcuts', 'view/theme', 'session/new'],
  engine: ['view/session', 'view/slow', 'engine/lend', 'engine/eject', 'view/settings'],
  slow: ['view/session', 'view/engine', 'engine/lend', 'engine/eject', 'view/settings'],
};

/** Wherever one is. */
const anywhere: readonly NamedCommandId[] = ['view/engine', 'view/settings'];

/** In their order; some of them may do nothing now. */
export const commandsOf = (place: Place): readonly NamedCommandId[] => [
  ...new Set([...urgent, ...byPlace[place], ...anywhere]),
];

interface Where {
  view: View;
  openSessionId: string | null;
  sessions: readonly { id: string; status: string }[];
}

export function placeOf({ view, openSessionId, sessions }: Where): Place {
  if (view !== 'session') return view;
  const status = sessions.find(({ id }) => id === openSessionId)?.status;
  if (status === undefined) return 'begun';
  if (status === 'asking') return 'asking';
  return status === 'running' || status === 'queued' ? 'working' : 'session';
}
