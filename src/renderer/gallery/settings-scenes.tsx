/** The settings beside profiles, models, engine and shortcuts, at the moments that matter. */
import type { Ability, AbilityRow } from '../../protocol/abilities.ts';
import type { ModelHost } from '../../protocol/model-host-methods.ts';
import type {
  About,
  MeaningStatus,
  MemoryContents,
  Remembered,
  StorageSizes,
  StoredHostRule,
} from '../../protocol/person-methods.ts';
import { Shell } from '../app/shell.tsx';
import type { BuildFacts } from '../commands/build-facts.ts';
import type { SettingsSection } from '../stores/layout-slice.ts';
import type { Answers } from './answering-engine.ts';
import { quietDesktop } from './desktop.ts';
import { tools } from './profile-scenes.tsx';
import { scene, settings, type Moment, type Scene } from './scene.tsx';
import { bindingScenes } from './binding-scenes.tsx';
import { peopleScenes } from './people-scenes.tsx';
import { scheduleScenes } from './schedule-scenes.tsx';
import { collectionScenes } from './collection-scenes.tsx';
import { connectionScenes } from './connection-scenes.tsx';
import { skillScenes } from './skill-scenes.tsx';
import { waysScenes } from './ways-scenes.tsx';
import { usageScenes } from './usage-scenes.tsx';
import { askingSession, runningSession, stoppedSession } from './session-fixtures.ts';
import { library } from '../text.ts';

const mib = 1024 ** 2;
const gib = 1024 ** 3;
const hour = 3_600_000;
const day = 24 * hour;

interface PaneOptions {
  section: SettingsSection;
  answers?: (now: number) => Answers;
  /** Typed into the search. */
  find?: string;
  /** The model whose page is shown first. */
  model?: string;
  moment?: Moment;
}

function pane(id: string, { section, answers, moment, find, model }: PaneOptions): Scene {
  const withAnswers: Moment = (now) => ({
    ...moment?.(now),
    ...(answers && { hostAnswers: answers(now) }),
  });
  return settings(id, section, withAnswers, {
    ...(find !== undefined && { find }),
    ...(model !== undefined && { press: () => `[title="${library.details.open(model)}"]` }),
  });
}

function fact(
  now: number,
  id: string,
  category: string,
  words: [key: string, value: string],
  more: Partial<Remembered> = {},
): Remembered {
  const [key, value] = words;
  return {
    id,
    category,
    key,
    value,
    sessionId: null,
    origin: 'noticed',
    createdAt: now - 9 * day,
    updatedAt: now - 9 * day,
    expiresAt: null,
    ...more,
  };
}

function remembered(now: number): MemoryContents {
  const session = stoppedSession(now).session.id;
  return {
    facts: [
      fact(now, 'f1', 'preference', ['editor', 'Neovim with the built-in LSP'], { sessionId: session }),
      fact(now, 'f2', 'preference', ['answers', 'Short, with the command first and the reason after it'], {
        origin: 'written',
        updatedAt: now - 2 * hour,
      }),
      fact(now, 'f3', 'preference', ['name', 'נועה לוי']),
      fact(
        now,
        'f4',
        'project',
        ['release_day', 'Every second Thursday; the freeze begins on the Monday before'],
        {
          origin: 'saved',
          sessionId: 'gone',
          updatedAt: now - 21 * day,
        },
      ),
      fact(now, 'f5', 'project', ['visitor_desk', 'Borrowed until the move'], {
        origin: 'saved',
        expiresAt: now + 30 * day,
      }),
      fact(now, 'f6', 'system', ['gpu', 'RTX 3090, driver 570, shared with a desktop at 4K'], {
        origin: null,
      }),
    ],
    summary: {
      text: 'Works on TypeScript and Rust services from a Linux desktop, prefers short answers that begin with the command, and releases every second Thursday.',
      byPerson: false,
      updatedAt: now - day,
    },
    meaning: byMeaning,
  };
}

const byMeaning: MeaningStatus = {
  choice: null,
  model: 'embeddinggemma:300m',
  models: [
    { name: 'all-minilm:22m', sizeBytes: 44 * mib },
    { name: 'embeddinggemma:300m', sizeBytes: 593 * mib },
  ],
  indexed: 4,
  total: 6,
  problem: null,
};
const byWords: MeaningStatus = {
  choice: null,
  model: null,
  models: [],
  indexed: 0,
  total: 0,
  problem: { kind: 'no_model', text: '' },
};

function sizes(now: number, more: Partial<StorageSizes> = {}): StorageSizes {
  return {
    dataDir: '/home/noa/.local/share/andiron',
    parts: {
      database: 214 * mib,
      backups: 180 * mib,
      undo: 12_300_000,
      attachments: 38 * mib,
      collections: 11 * mib,
      engine: 1.9 * gib,
      models: 0,
      logs: 3.2 * mib,
      other: 24 * 1024,
    },
    sessions: { count: 128, bytes: 131 * mib },
    deleted: { count: 4, bytes: 22 * mib, nextAt: now + 2 * day },
    unusedBytes: 31 * mib,
    freeBytes: 212 * gib,
    at: now,
    ...more,
  };
}

const about: About = {
  version: '0.1.0',
  platform: 'linux',
  arch: 'x64',
  runtimes: { node: '24.21.0', sqlite: '3.53.1', electron: '45.4.1', chromium: '153.0.7600.12' },
  dataDir: '/home/noa/.local/share/andiron',
  logsDir: '/home/noa/.local/share/andiron/logs',
  homeDir: '/home/noa',
  searchPath: { source: 'shell', shell: '/usr/bin/zsh', reason: null },
  sandbox: { kind: 'bwrap', version: '0.11.0', hasProxy: true },
};

const aboutUnknown: About = {
  ...about,
  version: null,
  runtimes: { ...about.runtimes, electron: null, chromium: null },
};

const built = (now: number): BuildFacts => ({
  at: now - 3 * day,
  commit: '8f6c58d',
  packages: [
    { name: '@base-ui/react', version: '1.9.0', licence: 'MIT', words: null },
    { name: 'better-sqlite3', version: '13.2.0', licence: 'MIT', words: null },
    { name: 'diff', version: '9.0.0', licence: 'BSD-3-Clause', words: null },
    { name: 'react-dom', version: '19.3.1', licence: 'MIT', words: null },
    { name: 'unnamed', version: '0.0.1', licence: null, words: null },
  ],
});

const known: Answers = { 'tool/list': () => ({ tools }) };
const hostRule = (now: number, more: Partial<StoredHostRule>): StoredHostRule => ({
  id: `rule_${more.host ?? ''}`,
  person: null,
  host: '',
  workspace: '/home/ada/kiln',
  sessionId: null,
  createdAt: now - day,
  lastUsedAt: null,
  used: 0,
  ...more,
});
const granted = (now: number): Answers => ({
  ...known,
  'approval/rules': () => ({
    folder: '/home/ada/kiln',
    hosts: [
      hostRule(now, { host: 'registry.npmjs.org', used: 12, lastUsedAt: now }),
      hostRule(now, { host: '192.168.1.20:8080', sessionId: runningSession(now).session.id }),
    ],
    rules: [
      {
        id: 'rule_1',
        person: null,
        workspace: '/home/ada/kiln',
        words: ['npm', 'test'],
        isExact: true,
        createdAt: now - 9 * day,
        lastUsedAt: now,
        used: 41,
      },
      {
        id: 'rule_2',
        person: 'Mia',
        workspace: '/home/ada/kiln',
        words: ['git', 'log'],
        isExact: false,
        createdAt: now - day,
        lastUsedAt: null,
        used: 0,
      },
    ],
  }),
  'approval/grants': () => ({
    grants: [
      {
        sessionId: runningSession(now).session.id,
        tool: 'edit_file',
        risk: 'write',
        folder: '/home/ada/kiln/src',
        shown: 'src/',
      },
      {
        sessionId: runningSession(now).session.id,
        tool: 'write_file',
        risk: 'write',
        folder: '/home/ada/kiln/src',
        shown: 'src/',
      },
      { sessionId: 's2', tool: 'fetch_page', risk: 'network', folder: null, shown: '' },
    ],
  }),
});
const noneGranted: Answers = {
  ...known,
  'approval/grants': () => ({ grants: [] }),
  'approval/rules': () => ({ folder: null, rules: [], hosts: [] }),
};

const learnt = (now: number): Answers => {
  const row = (ability: Ability, good: number, bad: number, holds: boolean, days: number): AbilityRow => {
    return { ability, good, bad, score: 0.5, holds, at: good + bad === 0 ? null : now - days * day };
  };
  return {
    'model/abilities': () => ({
      abilities: [
        row('opens', 4.2, 0.8, true, 0),
        row('native', 18.4, 1.6, true, 0),
        row('text', 0, 0, true, 0),
        row('grammar', 2.6, 0, true, 21),
        row('pattern', 1, 0, true, 21),
        row('values', 1, 0, true, 21),
        row('settles', 11.8, 2.2, true, 0),
        row('picks', 3, 0, true, 21),
        row('restraint', 3.1, 5.9, false, 1),
        row('planning', 0, 0, false, 0),
        row('notes', 0.4, 0.1, true, 43),
      ],
    }),
    'exam/price': () => ({ questions: 28, expectedMs: 95_000, limitMs: 180_000 }),
  };
};
const modelHost = (name: string, key: ModelHost['key'], more: Partial<ModelHost> = {}): ModelHost => ({
  id: name,
  name,
  url: `https://${name}.example/v1`,
  kind: 'openai',
  key,
  ...more,
});
const modelHosts: Answers = {
  'model-host/list': () => ({
    hosts: [
      modelHost('lab', 'kept', { name: 'The lab', url: 'http://192.168.1.20:8080/v1' }),
      modelHost('router', 'none'),
      modelHost('work', 'environment'),
      modelHost('old', 'elsewhere'),
      modelHost('attic', null, { kind: 'ollama', url: 'http://attic:11434' }),
    ],
    problem: 'hosts.json: hosts.5.kind: there is no kind "vertex"; expected ollama or openai',
    place: { kind: 'keychain', name: 'gnome' },
  }),
};
const empty: MemoryContents = { facts: [], summary: null, meaning: byWords };
const open: Moment = (now) => ({ session: runningSession(now) });

/** Other parts of the window, at the largest text. */
const largest = (id: string, moment: Moment): Scene =>
  scene(
    `largest-${id}`,
    (now) => {
      const { ui, ...more } = moment(now);
      return { ...more, ui: { ...ui, textSize: 'largest' } };
    },
    (app) => <Shell services={app.services} />,
  );

export const settingsScenes: Scene[] = [
  largest('running', open),
  largest('stopped', (now) => ({ session: stoppedSession(now) })),
  largest('asking', (now) => ({ session: askingSession(now) })),
  pane('search', { section: 'profiles', find: 'plan', moment: open }),
  pane('search-words', { section: 'appearance', find: 'dark', moment: open }),
  pane('search-nothing', { section: 'profiles', find: 'blockchain' }),
  pane('approvals', { section: 'approvals', answers: granted, moment: open }),
  pane('approvals-none', { section: 'approvals', answers: () => noneGranted }),
  pane('appearance-largest', {
    section: 'appearance',
    moment: () => ({ ui: { textSize: 'largest', wrapCode: true } }),
  }),
  pane('profiles-largest', {
    section: 'profiles',
    moment: (now) => ({ ...open(now), ui: { textSize: 'largest' } }),
  }),
  pane('engine-hosts', { section: 'engine', answers: () => modelHosts, moment: open }),
  pane('model-abilities', { section: 'models', model: 'qwen3.8:27b', answers: learnt }),
  pane('memory', {
    section: 'memory',
    answers: (now) => ({ 'memory/list': () => remembered(now) }),
    moment: (now) => ({ session: stoppedSession(now) }),
  }),
  pane('memory-no-place', {
    section: 'memory',
    answers: (now) => ({
      'memory/list': () => ({
        ...remembered(now),
        meaning: { ...byMeaning, problem: { kind: 'no_place', text: '' } },
      }),
    }),
  }),
  pane('memory-empty', { section: 'memory', answers: () => ({ 'memory/list': () => empty }) }),
  pane('desktop', { section: 'desktop', moment: () => ({ desktop: quietDesktop('linux') }) }),
  pane('storage', { section: 'storage', answers: (now) => ({ 'storage/measure': () => sizes(now) }) }),
  pane('storage-unknown', {
    section: 'storage',
    answers: (now) => ({
      'storage/measure': () =>
        sizes(now, {
          parts: { ...sizes(now).parts, backups: null },
          deleted: { count: 0, bytes: 0, nextAt: null },
          freeBytes: null,
        }),
    }),
  }),
  ...peopleScenes,
  ...bindingScenes,
  ...waysScenes,
  ...connectionScenes,
  ...collectionScenes,
  ...skillScenes,
  ...usageScenes,
  ...scheduleScenes,
  pane('about', {
    section: 'about',
    answers: () => ({ 'host/about': () => about }),
    moment: (now) => ({ ...open(now), built: built(now) }),
  }),
  pane('about-source', { section: 'about', answers: () => ({ 'host/about': () => aboutUnknown }) }),
];
