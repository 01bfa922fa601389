import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Collection, CollectionPrice, Passage } from '../../../protocol/collection-methods.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { FakeDesktop } from '../../testing/desktop.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { CollectionsPane } from './collections-pane.tsx';

const collection = (more: Partial<Collection> = {}): Collection => ({
  id: 'c1',
  name: 'Manuals',
  place: { folder: '/home/ann/manuals', files: [] },
  state: 'ready',
  files: 2_000,
  read: 2_000,
  leftOut: 0,
  problem: null,
  unread: [],
  unreadCount: 0,
  passages: 8_412,
  withMeaning: 8_412,
  bytes: 42_000_000,
  ...more,
});
const price: CollectionPrice = {
  files: 2_000,
  bytes: 3_000_000,
  leftOut: 0,
  passages: 8_400,
  indexBytes: 42_000_000,
  meaningMs: 745_000,
  messageTokens: 1_300,
};
const passage = (more: Partial<Passage> = {}): Passage => ({
  collection: 'Manuals',
  path: 'press/press-2.pdf',
  place: 'page 7',
  text: 'Loosen both screws.',
  by: 'both',
  ...more,
});

interface Given {
  model?: string | null;
  desktop?: FakeDesktop;
  found?: Passage[];
  byMeaning?: boolean;
}

async function open(collections: Collection[], given: Given = {}) {
  const { model = 'all-minilm:22m', desktop = null, found = [], byMeaning = true } = given;
  const window = await openTestWindow(desktop);
  window.host
    .answer('collection/list', () => ({ collections, model }))
    .answer('collection/price', () => price)
    .answer('collection/search', () => ({ passages: found, byMeaning }))
    .answer('collection/add', () => ({ collection: collection() }));
  for (const method of ['rename', 'remove', 'refresh'])
    window.host.answer(`collection/${method}`, () => ({}));
  renderIn(window, <CollectionsPane />);
  await act(() => settled());
  const user = userEvent.setup();
  const details = async (name: string) => {
    await user.click(screen.getByRole('button', { name: `Details of ${name}` }));
    return within(screen.getByRole('region', { name: `Details of ${name}` }));
  };
  return { ...window, user, details };
}
const press = (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(screen.getByRole('button', { name }));

describe('the list of collections', () => {
  it('Collections says what one is for before there is one', async () => {
    await open([]);
    expect(screen.getByText(/the passages that fit your question go along/)).toBeDefined();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Add collection']);
  });

  it.each<[string, Partial<Collection>, string[]]>([
    ['read', {}, ['2,000 files, 8,412 passages', 'By words and meaning', '40 MB']],
    ['being listed', { state: 'reading', files: 0, read: 0, passages: 0 }, ['Listing files']],
    ['being read', { state: 'reading', read: 312 }, ['Reading: 312 of 2,000 files']],
    ['partly found by meaning', { withMeaning: 8_000 }, ['8,000 of 8,412 passages can be found by meaning']],
    ['without its folder', { state: 'gone' }, ['The folder is not there']],
    ['empty of a sudden', { state: 'empty' }, ['The folder is empty or not connected']],
    ['not to be read', { state: 'unlisted' }, ['The folder cannot be read']],
    [
      'without its files',
      { state: 'gone', place: { folder: null, files: ['/a/one.pdf', '/a/two.pdf'] } },
      ['The files are not there', '/a/one.pdf and 1 more'],
    ],
  ])('A collection that is %s says so', async (_, more, words) => {
    await open([collection(more)]);
    for (const each of words) expect(screen.getByText(each)).toBeDefined();
  });

  it('A collection that could be listed in part says in its details why not all of it was', async () => {
    const { details } = await open([collection({ problem: 'Listing its files took too long.' })]);
    expect((await details('Manuals')).getByText('Listing its files took too long.')).toBeDefined();
  });

  it('A collection whose folder is gone says nothing of how it is searched', async () => {
    await open([collection({ state: 'gone' })]);
    expect(screen.queryByText('By words and meaning')).toBeNull();
  });

  it('Collections without an embedding model say so once, and lead to where one is set up', async () => {
    const { user, stores } = await open([collection({ withMeaning: 0 }), collection({ id: 'c2' })], {
      model: null,
    });
    expect(screen.getAllByText('By words')).toHaveLength(2);
    await press(user, 'Set up in Memory');
    expect(stores.ui.getState().settingsSection).toBe('memory');
  });

  it('The list is asked for again when the host says that something changed', async () => {
    const { host, stores } = await open([collection({ state: 'reading', read: 312 })]);
    host.answer('collection/list', () => ({ collections: [collection()], model: null }));
    act(() => stores.host.setState({ skillChanges: 1 }));
    expect(await screen.findByText('2,000 files, 8,412 passages')).toBeDefined();
  });

  it('A list that cannot be read says why, and is asked for again', async () => {
    const window = await openTestWindow();
    window.host.answer('collection/list', () => new Error('The database is locked.'));
    renderIn(window, <CollectionsPane />);
    expect((await screen.findByRole('alert')).textContent).toContain('The database is locked.');
    window.host.answer('collection/list', () => ({ collections: [collection()], model: null }));
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Manuals')).toBeDefined();
  });
});

describe('one collection', () => {
  it('Files that were not read are folded, with their reasons and how many more there are', async () => {
    const unread = [{ path: 'scan.pdf', reason: 'It has no text.' }];
    const { details } = await open([collection({ unread, unreadCount: 14, leftOut: 1_204 })]);
    const manuals = await details('Manuals');
    const folded = manuals.getByText('14 files not read').closest('details');
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain('scan.pdf It has no text.And 13 more.');
    expect(manuals.getByText(/^1,204 files left out/)).toBeDefined();
  });

  it('A collection is renamed with the keyboard, which is then where it was', async () => {
    const { host, user, details } = await open([collection()]);
    const manuals = await details('Manuals');
    await user.click(manuals.getByRole('button', { name: 'Rename' }));
    await user.keyboard('Presses{Enter}');
    await host.asked('collection/rename');
    expect(host.last('collection/rename')).toEqual({ collectionId: 'c1', name: 'Presses' });
    expect(await manuals.findByRole('button', { name: 'Rename' })).toBe(document.activeElement);
    expect(manuals.queryByRole('textbox', { name: /New name/ })).toBeNull();
  });

  it('A name that is taken stays as it was typed, with the reason', async () => {
    const { host, user, details } = await open([collection()]);
    host.answer('collection/rename', () => new Error('Another collection has this name.'));
    const manuals = await details('Manuals');
    await user.click(manuals.getByRole('button', { name: 'Rename' }));
    await user.keyboard('Laws{Enter}');
    expect((await manuals.findByRole('alert')).textContent).toContain('Another collection has this name.');
    expect(manuals.getByRole('textbox', { name: 'New name of Manuals' })).toHaveProperty('value', 'Laws');
  });

  it('Escape leaves the name of a collection as it was', async () => {
    const { host, user, details } = await open([collection()]);
    const manuals = await details('Manuals');
    await user.click(manuals.getByRole('button', { name: 'Rename' }));
    await user.keyboard('Laws{Escape}');
    expect(manuals.queryByRole('textbox', { name: /New name/ })).toBeNull();
    expect(host.count('collection/rename')).toBe(0);
  });

  it('A collection is looked at again', async () => {
    const { host, user, details } = await open([collection()]);
    await user.click((await details('Manuals')).getByRole('button', { name: 'Check again' }));
    await host.asked('collection/refresh');
    expect(host.last('collection/refresh')).toEqual({ collectionId: 'c1' });
  });

  it('A collection is removed after a question that says that its files stay', async () => {
    const { host, user, details } = await open([collection()]);
    await user.click((await details('Manuals')).getByRole('button', { name: 'Remove' }));
    expect(host.count('collection/remove')).toBe(0);
    expect(screen.getByText('Its index is deleted. Your files stay as they are.')).toBeDefined();
    await press(user, 'Remove collection');
    await host.asked('collection/remove');
    expect(host.last('collection/remove')).toEqual({ collectionId: 'c1' });
    expect(document.activeElement?.textContent).toBe('Add collection');
  });
});

const search = async (found: Passage[], byMeaning = true) => {
  const window = await open([collection()], { found, byMeaning });
  const manuals = await window.details('Manuals');
  await window.user.type(manuals.getByRole('textbox', { name: 'Try a search' }), ' how tight {Enter}');
  await window.host.asked('collection/search');
  return { ...window, manuals };
};

describe('a tried search', () => {
  it('A tried search shows each passage with its file, its place and how it was found', async () => {
    const other = passage({ path: 'belts.csv', place: '', text: 'B-204', by: 'words' });
    const { host, manuals } = await search([passage(), other]);
    expect(host.last('collection/search')).toEqual({ collectionId: 'c1', query: 'how tight' });
    const list = await manuals.findByRole('list', { name: 'Passages of Manuals' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['press/press-2.pdfpage 7by words and meaningLoosen both screws.', 'belts.csvby wordsB-204']);
    expect(manuals.getByRole('status').textContent).toBe('2 passages, searched by words and meaning');
  });

  it('A tried search says when only words were asked', async () => {
    const { manuals } = await search([passage({ by: 'words' })], false);
    expect(await manuals.findByText('1 passage, searched by words only')).toBeDefined();
  });

  it('The same words are searched again, since more may be read by then', async () => {
    const { host, user } = await search([]);
    await user.keyboard('{Enter}');
    await host.asked('collection/search', 2);
    expect(host.count('collection/search')).toBe(2);
  });

  it('A tried search without a passage says so', async () => {
    const { manuals } = await search([]);
    expect(await manuals.findByText('No passage fits “how tight”.')).toBeDefined();
  });

  it('Text of a file cannot hide signs in a passage', async () => {
    const { manuals } = await search([passage({ text: 'a\u202Eb' })]);
    const list = await manuals.findByRole('list', { name: 'Passages of Manuals' });
    expect(list.textContent).not.toContain('\u202E');
  });
});

const form = async (given: Given = {}) => {
  const window = await open([], given);
  await press(window.user, 'Add collection');
  const dialog = within(screen.getByRole('dialog'));
  return { ...window, dialog };
};
const folder = () => screen.getByRole('textbox', { name: 'Folder' });

describe('a new collection', () => {
  it('A folder shows its price first, and is kept with the name of the folder after that', async () => {
    const { host, user, dialog } = await form();
    await user.type(folder(), '/home/ann/manuals/{Enter}');
    await host.asked('collection/price');
    expect(host.last('collection/price')).toEqual({ folder: '/home/ann/manuals/', files: [] });
    const shown = await dialog.findByRole('region', { name: 'What it costs' });
    expect(shown.textContent).toContain('2,000 files, 3 MB');
    expect(shown.textContent).toContain('about 8,400');
    expect(shown.textContent).toContain('about 12 min');
    expect(shown.textContent).toContain('up to 1,300 tokens');
    expect(host.count('collection/add')).toBe(0);
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await host.asked('collection/add');
    expect(host.last('collection/add')).toEqual({
      name: 'manuals',
      place: { folder: '/home/ann/manuals/', files: [] },
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('A name that another collection has is not offered', async () => {
    const { user } = await open([
      collection({ name: 'Manuals' }),
      collection({ id: 'c2', name: 'manuals 2' }),
    ]);
    await press(user, 'Add collection');
    await user.type(folder(), '/mnt/manuals{Enter}');
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'manuals 3');
  });

  it('Files are written one per line, and are named after their folder', async () => {
    const { host, user, dialog } = await form();
    await user.click(dialog.getByRole('radio', { name: 'Files' }));
    await user.type(dialog.getByRole('textbox', { name: 'Files' }), '/law/a.pdf{Enter}{Enter}"/law/b c.md"');
    await press(user, 'Show price');
    await host.asked('collection/price');
    expect(host.last('collection/price')).toEqual({ folder: null, files: ['/law/a.pdf', '/law/b c.md'] });
    expect(await dialog.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'law');
  });

  it('A folder that the desktop chose shows its price at once', async () => {
    const desktop = new FakeDesktop('linux');
    Object.assign(desktop, { chooseFolder: () => Promise.resolve('/home/ann/papers') });
    const { host, user, dialog } = await form({ desktop });
    await press(user, 'Choose');
    await host.asked('collection/price');
    expect(host.last('collection/price')).toEqual({ folder: '/home/ann/papers', files: [] });
    expect(await dialog.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'papers');
  });

  it('A browser has no folder to choose, so the path is typed', async () => {
    const { dialog } = await form();
    expect(dialog.queryByRole('button', { name: 'Choose' })).toBeNull();
  });

  it('Another folder has another price, which is asked for before anything is kept', async () => {
    const { host, user, dialog } = await form();
    await user.type(folder(), '/a{Enter}');
    await dialog.findByRole('region', { name: 'What it costs' });
    await user.type(folder(), 'b');
    expect(dialog.queryByRole('region', { name: 'What it costs' })).toBeNull();
    await user.keyboard('{Enter}');
    await host.asked('collection/price', 2);
    expect(host.last('collection/price')).toEqual({ folder: '/ab', files: [] });
    expect(host.count('collection/add')).toBe(0);
  });

  it('A double click on the price keeps nothing', async () => {
    const { host, user, dialog } = await form();
    await user.type(folder(), '/a');
    await user.dblClick(dialog.getByRole('button', { name: 'Show price' }));
    await dialog.findByRole('region', { name: 'What it costs' });
    await act(() => settled());
    expect(host.count('collection/add')).toBe(0);
  });

  it('A place that is refused stays as it was typed, with the reason', async () => {
    const { host, user, dialog } = await form();
    host.answer(
      'collection/price',
      () => new AndironError('invalid_params', 'This folder is private.', 'Choose another one.'),
    );
    await user.type(folder(), '/home/ann/.ssh{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'This folder is private. Choose another one.',
    );
    expect(folder()).toHaveProperty('value', '/home/ann/.ssh');
  });

  it.each([
    ['a folder', '', 'Write the path of the folder.'],
    ['a name', '/a', 'Give it a name.'],
  ])('Nothing is kept without %s', async (_, typed, words) => {
    const { host, user, dialog } = await form();
    if (typed === '') await press(user, 'Show price');
    else {
      await user.type(folder(), `${typed}{Enter}`);
      await user.clear(await dialog.findByRole('textbox', { name: 'Name' }));
      await user.click(dialog.getByRole('button', { name: 'Add' }));
    }
    expect((await dialog.findByRole('alert')).textContent?.trim()).toBe(words);
    expect(host.count('collection/add')).toBe(0);
  });

  it('The price says whether the time is unknown or there is no model', async () => {
    const { host, user, dialog } = await form({ model: null });
    host.answer('collection/price', () => ({ ...price, meaningMs: null }));
    await user.type(folder(), '/a{Enter}');
    expect(await dialog.findByText('not yet: there is no embedding model')).toBeDefined();
  });
});
