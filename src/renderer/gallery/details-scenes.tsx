/** The files that were changed, and what opens from their list. */
import type { ChangedFile, FileView, SessionSnapshot, TurnFile } from '../../protocol/model.ts';
import { ChangesSheet } from '../features/changes/changes-sheet.tsx';
import { FileDialog } from '../features/changes/file-dialog.tsx';
import type { Answers } from './answering-engine.ts';
import { diffDisplay, stoppedSession } from './session-fixtures.ts';
import { openSession } from './fixtures.ts';
import { reportStory } from './story.ts';
import { scene, window, type Scene } from './scene.tsx';
import frame from '../app/frame.module.css';

const lease: ChangedFile = {
  path: 'src/queue/lease.ts',
  added: 3,
  removed: 2,
  created: false,
  isGone: false,
  kind: 'file',
  turns: ['turn_0'],
  undone: false,
};
const changed: ChangedFile[] = [
  lease,
  { ...lease, path: 'src/queue/heartbeat.ts', added: 1, removed: 1 },
  { ...lease, path: 'test/queue/lease-repeat.test.ts', added: 41, removed: 0, created: true },
  { ...lease, path: 'src/queue/clock.ts', added: 0, removed: 31, isGone: true },
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
  modes: null,
  between: { before: 'a', now: 'b' },
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
      <div className={frame.window}>
        <ChangesSheet />
        <FileDialog path={lease.path} open onClose={() => undefined} />
      </div>
    ),
  );
};

/** Two turns; what the first one changed is open in its own place. */
const twoTurns = (now: number): SessionSnapshot => {
  const story = reportStory(now);
  story.turn('Use the injected clock everywhere.');
  for (const path of turnFiles.map((file) => file.path)) {
    story.call('edit_file', path, { display: { ...diffDisplay, path } });
  }
  story.say({ kind: 'text', text: 'All of them read the injected clock now.' });
  story.usage({});
  story.turn('And the worker must stop at night.');
  story.call('edit_file', 'src/queue/worker.ts', {
    display: { ...diffDisplay, path: 'src/queue/worker.ts' },
  });
  story.say({ kind: 'text', text: 'It stops at 22:00.' });
  story.usage({});
  return story.snapshot(openSession);
};
const standing = (path: string, more: Partial<TurnFile> = {}): TurnFile => ({
  path,
  refused: null,
  detail: '',
  canRedo: false,
  ...more,
});
const turnFiles: TurnFile[] = [
  standing('src/queue/lease.ts'),
  standing('src/queue/heartbeat.ts'),
  standing('src/queue/worker.ts', { refused: 'later' }),
  standing('src/queue/streams.ts', { refused: 'changed', detail: 'Move the queue to streams' }),
  standing('test/helpers/clock.ts', { refused: 'undone', canRedo: true }),
];
const expanded = Object.fromEntries(
  ['changes:turn_0', ...[1, 2, 3, 4, 5, 8].map((item) => `item_${item}`)].map((id, at) => [id, at === 0]),
);

export const detailsScenes: Scene[] = [
  window('turn-files', (now) => ({
    session: twoTurns(now),
    ui: { expanded },
    hostAnswers: { 'file/turn': () => ({ files: turnFiles }) },
  })),
  window('turn-files-forked', (now) => ({
    session: { ...twoTurns(now), files: undefined },
    ui: { expanded },
  })),
  window('files', (now) => ({ session: withFiles(now), ui: { sheet: 'right' } })),
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
