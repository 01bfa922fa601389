/**
 * Every row that the settings have, from the dictionaries that the panes themselves show: a row has its words once.
 * `reveal.ts` finds a row again by its name, so a pane registers nothing.
 */
import type { SettingsSection } from '../../stores/layout-slice.ts';
import { groupOf } from '../../commands/command-groups.ts';
import { commandNames, type NamedCommandId } from '../../commands/commands.ts';
import {
  bindingsPane,
  collectionsPane,
  commands,
  library,
  peoplePane,
  notifications,
  person,
  profiles,
  settings,
  waysPane,
  webPane,
  skillsPane,
} from '../../text.ts';
import { groups, type FlagRowId } from './profile-flags.ts';
import { fold, wordsOf } from './search-words.ts';
import { isAside } from './listed-shortcuts.ts';

export interface IndexedRow {
  /** `section.row`. */
  id: string;
  section: SettingsSection;
  /** The tab inside its section that shows it; absent = the section has none. */
  page?: string;
  /** Heading that it stands under; '' = its section alone. */
  group: string;
  /** As the pane shows it, letter for letter. */
  label: string;
  help: string;
  /** Other words that people use for it. */
  synonyms: string;
}

/** As drawn. */
export const sections: SettingsSection[] = [
  'profiles',
  'models',
  'connections',
  'collections',
  'engine',
  'approvals',
  'appearance',
  'notifications',
  'memory',
  'desktop',
  'storage',
  'people',
  'bindings',
  'ways',
  'usage',
  'schedule',
  'shortcuts',
  'about',
];

/** The computer's own shell is nobody's business in a browser. */
export const sectionsOf = (web: boolean): SettingsSection[] =>
  sections.filter((section) => !web || section !== 'desktop');

type Words = Pick<IndexedRow, 'label' | 'help'>;

function rowOf(section: SettingsSection, id: string, words: Words, group = ''): IndexedRow {
  const key = `${section}.${id}`;
  const { label, help } = words;
  return { id: key, section, group, label, help, synonyms: person.search.searchWords[key] ?? '' };
}

const rowsOf = (section: SettingsSection, rows: Record<string, Words>): IndexedRow[] =>
  Object.entries(rows).map(([id, words]) => rowOf(section, id, words));

const flagOf = (row: FlagRowId): keyof typeof settings.flags => ('id' in row ? row.id : row.kind);

const flags = (): IndexedRow[] =>
  groups.flatMap(({ id: group, page, rows }) =>
    rows.map((row): IndexedRow => {
      const flag = flagOf(row);
      const words = rowOf('profiles', flag, settings.flags[flag], settings.profiles.groups[group]);
      return { ...words, page: profiles.pages[page] };
    }),
  );

/** What stands beside the flags. */
const ofProfile = (): IndexedRow[] =>
  (['models', 'tools'] as const).map((id): IndexedRow => ({
    ...rowOf('profiles', id, { label: settings.profiles[id], help: '' }),
    page: profiles.pages[id === 'models' ? 'model' : 'tools'],
  }));

const pages = (): IndexedRow[] =>
  (['prompts', 'file'] as const).map((id): IndexedRow => ({
    ...rowOf('profiles', id, { label: profiles.pages[id], help: '' }),
    page: profiles.pages[id],
  }));

const plain = (label: string, help = ''): Words => ({ label, help });

/** Of the panes that keep their words in dictionaries of their own: what is there on every machine. */
const others = (): IndexedRow[] => [
  ...rowsOf('models', {
    installed: plain(settings.models.title),
    more: plain(library.catalogue.title),
    byName: plain(library.catalogue.byName, library.catalogue.byNameHelp),
  }),
  ...rowsOf('engine', {
    ollama: plain(settings.engine.title),
    keepAlive: plain(settings.engine.keepAlive),
    hosts: plain(settings.engine.hosts.title),
    addHost: plain(settings.engine.hosts.add, settings.engine.hosts.addHelp),
    modelHosts: plain(settings.engine.modelHosts.title, settings.engine.modelHosts.help),
    memory: plain(settings.engine.memory),
  }),
];

const shortcuts = (): IndexedRow[] =>
  Object.entries(commandNames)
    .map(([id, label]) => ({ id: id as NamedCommandId, label }))
    .filter(({ id }) => !isAside(id))
    .map(({ id, label }) => rowOf('shortcuts', id, plain(label), commands.groups[groupOf(id)]));

/** In the language of the moment. */
export const settingsIndex = (): readonly IndexedRow[] => [
  ...flags(),
  ...ofProfile(),
  ...pages(),
  ...others(),
  ...rowsOf('approvals', person.approvals.rows),
  ...rowsOf('appearance', person.appearance.rows),
  ...rowsOf('notifications', notifications.rows),
  ...rowsOf('memory', person.memory.rows),
  ...rowsOf('desktop', person.desktop.rows),
  ...rowsOf('storage', person.storage.rows),
  ...rowsOf('people', peoplePane.rows),
  ...rowsOf('bindings', bindingsPane.rows),
  ...rowsOf('connections', {
    servers: plain(settings.sections.connections),
    web: plain(webPane.title, webPane.help),
    skills: plain(skillsPane.skills),
  }),
  ...rowsOf('collections', {
    collections: plain(settings.sections.collections, collectionsPane.noneHelp),
  }),
  ...rowsOf('ways', waysPane.rows),
  ...rowsOf('usage', { tokens: plain(settings.sections.usage) }),
  ...rowsOf('schedule', { jobs: plain(settings.sections.schedule) }),
  ...shortcuts(),
  ...rowsOf('about', person.about.rows),
];

export interface FoundRows {
  section: SettingsSection;
  rows: IndexedRow[];
}

/** Rows with every word of the query, by section; the section with the best row first. */
export function findRows(query: string): FoundRows[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = settingsIndex()
    .map((row) => ({ row, score: scoreOf(row, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const bySection = Map.groupBy(scored, ({ row }) => row.section);
  return [...bySection].map(([section, found]) => ({ section, rows: found.map(({ row }) => row) }));
}

/** 0 = a word is nowhere. A name counts more than help, the beginning of a word more than its middle. */
function scoreOf(row: IndexedRow, words: readonly string[]): number {
  const places: [text: string, weight: number][] = [
    [row.label, 8],
    [row.synonyms, 4],
    [`${row.group} ${settings.sections[row.section]}`, 2],
    [row.help, 1],
  ];
  const scores = words.map((word) =>
    Math.max(...places.map(([text, weight]) => weight * metBy(fold(text), word))),
  );
  const sum = scores.reduce((whole, score) => whole + score, 0);
  if (scores.includes(0)) return 0;
  // The keys of a command come after the setting of the same name.
  return row.section === 'shortcuts' ? sum / 8 : sum;
}

function metBy(text: string, word: string): 0 | 1 | 2 | 3 {
  const at = text.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return 3;
  return text.includes(` ${word}`) ? 2 : 1;
}
