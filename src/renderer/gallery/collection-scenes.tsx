/** Collections: in the settings in every state, the form of a new one, a tried search, in the message box, and sent. */
import { Acting, typeInto } from './acting.tsx';
import styles from '../features/settings/collections.module.css';
import type { Collection, CollectionPrice, Passage } from '../../protocol/collection-methods.ts';
import type { Item, SessionSnapshot } from '../../protocol/model.ts';
import { Shell } from '../app/shell.tsx';
import { CollectionForm } from '../features/settings/collection-form.tsx';
import { collectionFile, readyFile } from '../stores/draft-files.ts';
import { attached } from './attachment-scenes.tsx';
import { openSession } from './fixtures.ts';
import { scene, settings, type Scene } from './scene.tsx';
import { stoppedSession } from './session-fixtures.ts';
import { collectionsPane, transcript } from '../text.ts';
import { createWorld } from './world.ts';

const collection = (id: string, name: string, more: Partial<Collection> = {}): Collection => ({
  id,
  name,
  place: { folder: `/home/ann/${id}`, files: [] },
  state: 'ready',
  files: 2_000,
  read: 2_000,
  leftOut: 0,
  problem: null,
  unread: [],
  unreadCount: 0,
  passages: 8_412,
  withMeaning: 8_412,
  bytes: 41_800_000,
  ...more,
});

const manuals = collection('manuals', 'Manuals', {
  unread: [
    { path: 'scans/press-3.pdf', reason: 'It has no text: its pages are pictures.' },
    { path: 'old/order-2019.xlsb', reason: 'Workbooks of this kind are not read.' },
  ],
  unreadCount: 14,
});
const collections: Collection[] = [
  manuals,
  collection('mail', 'Letters of the last ten years with a name that has no room in its column', {
    state: 'reading',
    read: 312,
    passages: 1_904,
    withMeaning: 0,
    bytes: 9_200_000,
  }),
  collection('papers', 'Papers', { withMeaning: 8_000, leftOut: 1_204 }),
  collection('laws', 'Laws', {
    place: {
      folder: null,
      files: ['/home/ann/law/tenancy.pdf', '/home/ann/law/fees.docx', '/home/ann/law/notes.md'],
    },
    files: 3,
    read: 3,
    passages: 221,
    withMeaning: 221,
    bytes: 1_100_000,
  }),
  collection('stick', 'Stick', { place: { folder: '/media/stick/notes', files: [] }, state: 'gone' }),
];

const passages: Passage[] = [
  {
    collection: 'Manuals',
    path: 'press/press-2-service.pdf',
    place: 'page 7',
    text: 'Loosen both screws of the guard before the belt is changed. The tension is right when the belt gives 8 mm in its middle under a weight of 2 kg.\n\nCheck it again after 20 hours of work.',
    by: 'both',
  },
  {
    collection: 'Manuals',
    path: 'press/press-3.md',
    place: 'lines 112-140',
    text: 'A slack belt is heard before it is seen: it squeals when the press starts.',
    by: 'meaning',
  },
  {
    collection: 'Manuals',
    path: 'parts/a-very-long-folder-name-without-any-blank-that-does-not-fit-into-its-line/belts.csv',
    place: '',
    text: 'belt;B-204;press 2;stock 3',
    by: 'words',
  },
];

const price: CollectionPrice = {
  files: 2_000,
  bytes: 1_310_000_000,
  leftOut: 0,
  passages: 8_400,
  indexBytes: 42_000_000,
  meaningMs: 745_000,
  messageTokens: 1_300,
};

const pane = (id: string, known: Collection[], model: string | null, first?: string): Scene =>
  settings(
    id,
    'collections',
    () => ({ hostAnswers: { 'collection/list': () => ({ collections: known, model }) } }),
    first === undefined ? {} : { press: () => `[aria-label="${collectionsPane.show(first)}"]` },
  );

const sourceButton = (): HTMLElement | null =>
  document.querySelector(`[aria-label="${transcript.sources}"] button`);
const press = (element: HTMLElement): void => element.click();
const searchField = (): HTMLElement | null => document.querySelector(`.${styles.collectionSearch} input`);

function search(field: HTMLElement): void {
  if (!(field instanceof HTMLInputElement)) return;
  typeInto(field, 'how tight is the belt');
  requestAnimationFrame(() => field.closest('form')?.requestSubmit());
}

const folderField = (): HTMLElement | null => document.querySelector('[role=dialog] input.mono');
function lookAt(field: HTMLElement): void {
  if (!(field instanceof HTMLInputElement)) return;
  typeInto(field, '/home/ann/manuals');
  requestAnimationFrame(() => field.closest('form')?.requestSubmit());
}

const form = (id: string, given: Partial<CollectionPrice>, hasModel: boolean): Scene =>
  scene(
    `settings-collections-${id}`,
    () => ({ hostAnswers: { 'collection/price': () => ({ ...price, ...given }) } }),
    () => (
      <>
        <CollectionForm hasModel={hasModel} taken={[]} onClose={() => undefined} />
        <Acting find={folderField} act={lookAt} />
      </>
    ),
  );

function found(id: string, answer: Passage[]): Scene {
  const base = settings(
    `collections-${id}`,
    'collections',
    () => ({
      hostAnswers: {
        'collection/list': () => ({ collections: [manuals], model: 'embeddinggemma:300m' }),
        'collection/search': () => ({ passages: answer, byMeaning: true }),
      },
    }),
    { press: () => `[aria-label="${collectionsPane.show(manuals.name)}"]` },
  );
  return {
    ...base,
    view: (app) => (
      <>
        {base.view(app)}
        <Acting find={searchField} act={search} />
      </>
    ),
  };
}

/** A window whose host knows collections and files. */
const box = (id: string, text: string): Scene => ({
  id: `composer-${id}`,
  world(now) {
    const log = attached('att_2', 'lease-failures-2026-11-13.log', 48_200);
    const app = createWorld({
      now,
      session: stoppedSession(now),
      ui: {
        drafts: { [openSession.id]: text },
        draftFiles: { [openSession.id]: [readyFile(log), collectionFile(manuals)] },
      },
    });
    app.commands.ask.collections = async () => ({ collections, model: 'embeddinggemma:300m' });
    app.commands.ask.files = async () => ({
      files: ['docs/manual.md', 'src/lease/manager.ts'],
      complete: true,
    });
    return app;
  },
  view: (app) => <Shell services={app.services} />,
});

function sentSession(now: number): SessionSnapshot {
  const session = stoppedSession(now);
  const sent = attached('passages', 'Manuals', 5_210, {
    from: { server: 'Manuals', uri: '', kind: 'collection' },
  });
  return {
    ...session,
    items: session.items.flatMap((item) =>
      item.kind === 'user'
        ? [{ ...item, text: 'How tight is the belt of press 2?', attachments: [sent] }]
        : [],
    ),
  };
}

/** A model searched on its own: its card, and what stands under the answer. */
function searchedSession(now: number): SessionSnapshot {
  const session = stoppedSession(now);
  const first = session.items.find((item) => item.kind === 'tool');
  const sources = passages.map(({ path, place, text }, at) => ({
    number: at + 1,
    title: ['Manuals', path, place].filter((part) => part !== '').join(', '),
    url: '',
    passage: text,
  }));
  const call = {
    tool: 'search_collections',
    subject: 'tension of the belt, press 2',
    display: { kind: 'sources', sources },
    output: '',
    result: sources.map(({ number, title, passage }) => `[${number}] ${title}\n${passage}\n`).join('\n'),
  } as const;
  const args = { query: call.subject };
  return {
    ...session,
    items: session.items.flatMap((item): Item[] => {
      if (item.kind === 'user') return [{ ...item, text: 'How tight is the belt of press 2?' }];
      return item.kind === 'tool' && item === first ? [{ ...item, ...call, args }] : [];
    }),
  };
}

export const collectionScenes: Scene[] = [
  pane('collections', collections, 'embeddinggemma:300m', 'Manuals'),
  pane('collections-words', collections, null, 'Stick'),
  pane('collections-none', [], null),
  form('price', {}, true),
  form('price-words', { files: 0, bytes: 0, passages: 0, leftOut: 1_204, meaningMs: null }, false),
  scene(
    'settings-collections-form',
    () => ({}),
    () => <CollectionForm hasModel taken={[]} onClose={() => undefined} />,
  ),
  found('found', passages),
  found('found-none', []),
  box('mention-collections', 'What do they say about @ma'),
  box('mention-all', '@'),
  {
    id: 'transcript-collections',
    world(now) {
      const session = searchedSession(now);
      const call = session.items.find((item) => item.kind === 'tool');
      return createWorld({ now, session, ui: { expanded: { [call?.id ?? '']: true } } });
    },
    view: (app) => (
      <>
        <Shell services={app.services} />
        <Acting find={sourceButton} act={press} />
      </>
    ),
  },
  {
    id: 'files-sent-collection',
    world: (now) => createWorld({ now, session: sentSession(now) }),
    view: (app) => <Shell services={app.services} />,
  },
];
