/** The message box at the moments that matter: what is written, what goes with it, what can be chosen. */
import { useEffect } from 'react';
import type { McpPrompt, McpResource } from '../../protocol/mcp-offers.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { App } from '../app/create-app.ts';
import { Shell } from '../app/shell.tsx';
import { readyFile, resourceFile, type DraftFile } from '../stores/draft-files.ts';
import { draftKey, type UiState } from '../stores/ui-store.ts';
import { attached } from './attachment-scenes.tsx';
import { engineState, models, openSession, talker } from './fixtures.ts';
import type { Moment, Scene } from './scene.tsx';
import { runningSession, stoppedSession } from './session-fixtures.ts';
import { createWorld } from './world.ts';

const paths = [
  'src/queue/lease.ts',
  'src/queue/lease.test.ts',
  'src/queue/lease-holder.ts',
  'docs/leases.md',
  'packages/scheduler/src/internal/workers/heartbeat/adapters/lease-adapter.generated.ts',
  'test/fixtures/lease with spaces.json',
];

const resources: McpResource[] = [
  ['notes', 'note://leases', 'Leases: what we decided in October'],
  ['notes', `note://archive/2026/${'very-long-name-'.repeat(12)}`, 'Leases of the old scheduler'],
  ['tickets', 'ticket://4711', 'Lease tests fail on CI'],
].map(([server = '', uri = '', name = '']) => ({ server, uri, name, description: '' }));

const field = (name: string, description: string, isRequired: boolean): McpPrompt['fields'][number] => ({
  kind: 'text',
  name,
  title: name,
  description,
  isRequired,
  format: null,
  minLength: 0,
  maxLength: 10_000,
  initial: '',
});
const prompt: McpPrompt = {
  server: 'notes',
  name: 'weekly-review',
  title: 'Weekly review',
  description: 'Goes through the notes of a week and lists what was decided and what is still open.',
  fields: [
    field('week', 'Such as 2026-W46', true),
    field('person', 'Whose notes; all of them without it', false),
  ],
};
const prompts: McpPrompt[] = [
  prompt,
  { ...prompt, server: 'tickets', name: 'triage', description: 'Sorts the newest tickets', fields: [] },
];

const log = attached('att_2', 'lease-failures-2026-11-13.log', 48_200);

/** A window whose host knows the files of its folder. */
function box(
  id: string,
  moment: Moment,
  view: Scene['view'] = (app) => <Shell services={app.services} />,
): Scene {
  return {
    id: `composer-${id}`,
    world(now) {
      const app = createWorld({ now, ...moment(now) });
      app.commands.ask.files = async (_workspace, query) => ({
        files: paths.filter((path) => path.includes(query)),
        complete: true,
      });
      app.commands.ask.resources = async (query) => ({
        resources: resources.filter(({ name, server }) => `${server}/${name}`.toLowerCase().includes(query)),
        complete: true,
      });
      app.commands.ask.prompts = async () => prompts;
      return app;
    },
    view,
  };
}

const written = (text: string, files: DraftFile[] = []): Partial<UiState> => ({
  drafts: { [openSession.id]: text },
  draftFiles: { [openSession.id]: files },
});

const long = `The lease tests fail about one run in twenty on CI, never on my machine.

What I know so far:
- only lease.test.ts and heartbeat.test.ts, always "expected true, got false"
- always in the first second after the worker starts
- a rerun is green

Please find the cause first and tell me before you change anything. Then:
1. make a test that fails every time, on an injected clock
2. fix it in the smallest way
3. run the suite 200 times and show me the count
4. write a line in CHANGELOG.md

Do not touch the public API of Lease. If the heartbeat needs another clock, say so.
Leave the flaky network test alone, it is known and has an issue of its own.
`;

const many: ModelInfo[] = [
  ...models,
  talker,
  ...['deepseek-r2:32b', 'devstral:24b', 'llama4:17b', 'mistral-small:24b', 'phi5:14b', 'qwen3.5:4b'].map(
    (name, place) => ({
      ...talker,
      name,
      digest: `sha256:${name}`,
      sizeBytes: (3 + place * 3) * 1024 ** 3,
      capabilities: place % 2 === 0 ? ['completion', 'tools'] : ['completion', 'tools', 'thinking', 'vision'],
    }),
  ),
];

/** Presses a button of the window once it is there. */
function Pressing({ app, label }: { app: App; label: string }) {
  useEffect(() => {
    document.querySelector<HTMLElement>(`button[aria-label^="${label}"]`)?.click();
  }, [label]);
  return <Shell services={app.services} />;
}

/** Holds a file over the conversation. */
function Holding({ app }: { app: App }) {
  useEffect(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'trace.json'));
    const held = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('main')?.dispatchEvent(held);
  }, []);
  return <Shell services={app.services} />;
}

export const composerScenes: Scene[] = [
  box('mention', (now) => ({ session: stoppedSession(now), ui: written('Compare the clock in @lea') })),
  box('mention-none', (now) => ({ session: stoppedSession(now), ui: written('Compare @zzz') })),
  box('mention-resources', (now) => ({
    session: stoppedSession(now),
    ui: written('Compare @lease', [readyFile(log), ...resources.slice(0, 1).map(resourceFile)]),
  })),
  box('slash-prompts', (now) => ({ session: stoppedSession(now), ui: written('/notes') })),
  box('prompt-form', (now) => ({
    session: stoppedSession(now),
    ui: { promptForm: { draft: openSession.id, prompt } },
  })),
  box('slash', (now) => ({ session: stoppedSession(now), ui: written('/') })),
  box('slash-busy', (now) => ({ session: runningSession(now), ui: written('/') })),
  box('slash-model', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, { models: many }),
    ui: written('/model q'),
  })),
  box('folder', () => ({
    host: { defaults: { profileId: 'developer', workspace: null } },
    ui: {
      openSessionId: null,
      drafts: { [draftKey(null)]: 'Find out why the lease tests fail.' },
      focus: { target: 'message-folder', count: 1 },
    },
  })),
  box('imported', (now) => {
    const stopped = stoppedSession(now);
    return {
      session: { ...stopped, session: { ...stopped.session, importedFrom: '/home/sam/code/ember-queue' } },
      ui: written('Go on with the second step.'),
    };
  }),
  box('long', (now) => ({ session: stoppedSession(now), ui: written(long + long) })),
  box('rtl', (now) => ({
    session: stoppedSession(now),
    ui: written('למה הבדיקה נכשלת? תסתכל על @src/queue/lease.ts ואז על @lea', [readyFile(log)]),
  })),
  box(
    'drop',
    (now) => ({ session: stoppedSession(now) }),
    (app) => <Holding app={app} />,
  ),
  box(
    'models',
    (now) => ({ session: stoppedSession(now) }),
    (app) => <Pressing app={app} label="Model:" />,
  ),
  box(
    'models-many',
    (now) => ({ session: stoppedSession(now), engine: engineState(now, { models: many }) }),
    (app) => <Pressing app={app} label="Model:" />,
  ),
  box(
    'profiles',
    (now) => ({ session: stoppedSession(now) }),
    (app) => <Pressing app={app} label="Profile:" />,
  ),
];
