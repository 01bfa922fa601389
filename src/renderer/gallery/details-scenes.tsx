/** The right column and what opens from it. */
import type { ChangedFile, FileView, SessionSnapshot } from '../../protocol/model.ts';
import { Details } from '../features/details/details.tsx';
import { FileDialog } from '../features/details/file-dialog.tsx';
import type { Answers } from './answering-engine.ts';
import { stoppedSession } from './session-fixtures.ts';
import { scene, window, type Scene } from './scene.tsx';

const lease: ChangedFile = {
  path: 'src/queue/lease.ts',
  added: 3,
  removed: 2,
  created: false,
  turns: ['turn_0'],
  undone: false,
};
const changed: ChangedFile[] = [
  lease,
  { ...lease, path: 'src/queue/heartbeat.ts', added: 1, removed: 1 },
  { ...lease, path: 'test/queue/lease-repeat.test.ts', added: 41, removed: 0, created: true },
  { ...lease, path: 'src/queue/worker.ts', added: 0, removed: 0, turns: [], undone: true },
];

const before = (lines: string[]): string[] => lines.map((line) => ` ${line}`);
const whole = {
  kind: 'diff' as const,
  diff: {
    kind: 'diff' as const,
    path: lease.path,
    added: 3,
    removed: 2,
    hunks: [
      {
        oldStart: 1,
        newStart: 1,
        lines: [
          ...before([
            "import type { Clock } from '../clock.ts';",
            "import { LeaseLost } from './errors.ts';",
            '',
            'const ttlMs = 5_000;',
            '',
            'export class Lease {',
            '  #until = 0;',
            '  readonly #clock: Clock;',
            '',
            '  constructor(clock: Clock) {',
            '    this.#clock = clock;',
            '  }',
            '',
          ]),
          '-  renew(): void {',
          '-    this.#until = Date.now() + ttlMs;',
          '+  /** By the clock that was handed in: the tests turn it. */',
          '+  renew(): void {',
          '+    this.#until = this.#clock.now() + ttlMs;',
          ...before([
            '  }',
            '',
            '  get isExpired(): boolean {',
            '    return this.#clock.now() >= this.#until;',
            '  }',
            '}',
          ]),
        ],
      },
    ],
  },
};

const view: FileView = {
  file: lease,
  standing: 'written',
  by: null,
  whole,
  commandsRan: true,
  canUndo: true,
  canRedo: false,
};

const withFiles = (now: number): SessionSnapshot => ({ ...stoppedSession(now), files: changed });

/** The dialog over the window, as it stands with this answer of the host. */
const opened = (id: string, over: Partial<FileView>): Scene => {
  const hostAnswers: Answers = { 'file/view': () => ({ ...view, ...over }) };
  return scene(
    `details-${id}`,
    (now) => ({ session: withFiles(now), hostAnswers }),
    () => (
      <div className="window">
        <Details />
        <FileDialog path={lease.path} open onClose={() => undefined} />
      </div>
    ),
  );
};

export const detailsScenes: Scene[] = [
  window('files', (now) => ({ session: withFiles(now) })),
  opened('file', {}),
  opened('file-changed', { standing: 'changed', canUndo: false, by: 'Move the queue to streams' }),
  opened('file-undone', {
    file: { ...lease, turns: [], undone: true },
    standing: 'undone',
    canUndo: false,
    canRedo: true,
    whole: { kind: 'diff', diff: { ...whole.diff, hunks: [], added: 0, removed: 0 } },
  }),
  opened('file-binary', { standing: 'changed', canUndo: false, whole: { kind: 'binary' } }),
];
