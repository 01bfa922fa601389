/** Commands as a person looks for them: by what they are about. */
import type { NamedCommandId } from './commands.ts';

export type CommandGroup = 'session' | 'turn' | 'engine' | 'view';

export const commandGroups: readonly CommandGroup[] = ['session', 'turn', 'engine', 'view'];

const byKind: Readonly<Record<string, CommandGroup>> = {
  session: 'session',
  current: 'session',
  turn: 'turn',
  approval: 'turn',
  composer: 'turn',
  transcript: 'turn',
  files: 'turn',
  engine: 'engine',
  model: 'engine',
  setup: 'engine',
  server: 'engine',
};
const byCommand: Partial<Record<NamedCommandId, CommandGroup>> = {
  'current/regenerate': 'turn',
  'current/version-before': 'turn',
  'current/version-after': 'turn',
  'current/allow-changes': 'turn',
  'view/engine': 'engine',
  'view/slow': 'engine',
};

export function groupOf(id: NamedCommandId): CommandGroup {
  return byCommand[id] ?? byKind[id.split('/')[0] ?? ''] ?? 'view';
}
