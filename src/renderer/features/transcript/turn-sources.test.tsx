import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, test } from 'vitest';
import type { Source } from '../../../protocol/foreign-text.ts';
import type { Item, ToolItem } from '../../../protocol/model.ts';
import { OpenLinkContext } from '../../components/link.tsx';
import { MarkdownReader } from '../../components/markdown/reader.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import type { Row } from './rows.ts';
import { RowView } from './row-view.tsx';
import { shownSources, sourcesOf } from './turn-sources.ts';

const source = (number: number, more: Partial<Source> = {}): Source => ({
  number,
  title: `Page ${String(number)}`,
  url: `https://site${String(number)}.example/`,
  ...more,
});

const textRow = (markdown: string, sources: Source[]): Row => ({
  key: 'item_1:0',
  newTurn: false,
  kind: 'text',
  part: { blocks: new MarkdownReader().read(markdown, true), length: markdown.length },
  sources,
  continued: false,
  writing: false,
  plain: false,
  cutOff: false,
});

async function show(row: Row) {
  const opened: string[] = [];
  const window = await openTestWindow();
  renderIn(
    window,
    <OpenLinkContext value={(url) => void opened.push(url)}>
      <RowView row={row} />
    </OpenLinkContext>,
  );
  return { opened, user: userEvent.setup() };
}

it('A number in an answer opens the source that has it, through the gate for links', async () => {
  const { opened, user } = await show(
    textRow('Bread rises [2], as **often said [1]**.', [source(1), source(2)]),
  );
  await user.click(screen.getByRole('link', { name: '[2]' }));
  await user.click(screen.getByRole('link', { name: '[1]' }));
  expect(opened).toEqual(['https://site2.example/', 'https://site1.example/']);
});

it('A number that names a passage shows it in the window, and Escape closes it', async () => {
  const passage = 'Open valve B\u202e first.';
  const found = source(1, { title: 'Manuals/p7.md, line 3', url: '', passage });
  const { opened, user } = await show(textRow('It is valve B [1].', [found]));
  await user.click(screen.getByRole('button', { name: '[1]' }));
  const shown = await screen.findByRole('dialog', { name: 'Passage: Manuals/p7.md, line 3' });
  expect(shown.textContent).toContain('Open valve B');
  expect(shown.textContent).not.toContain('\u202e');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(opened).toEqual([]);
});

it('Numbers side by side are links of their own', async () => {
  await show(textRow('So [1][2].', [source(1), source(2)]));
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['[1]', '[2]']);
});

test.each(['An index [3] of a list.', 'Code `a[1]` stays.', '```\na[1]\n```', 'In [1 and 2].'])(
  '%j has no source in it',
  async (markdown) => {
    await show(textRow(markdown, [source(1), source(2)]));
    expect(screen.queryByRole('link')).toBeNull();
  },
);

it('An answer without sources has no links made of numbers', async () => {
  await show(textRow('As said [1].', []));
  expect(screen.queryByRole('link')).toBeNull();
});

it('A number leads to its source, whatever else the model says that it leads to', async () => {
  await show(textRow('See [1].\n\n[1]: https://evil.example/', [source(1)]));
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://site1.example/');
});

it('A source whose address is no address of the web is text, and opens nothing', async () => {
  await show(textRow('See [1].', [source(1, { url: 'javascript:alert(1)' })]));
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText('[1]')).toBeDefined();
});

it('Sources stand under the answer with their hosts, and a press opens one', async () => {
  const row: Row = {
    key: 'sources:t',
    newTurn: false,
    kind: 'sources',
    sources: [source(1, { title: 'How\u202e bread rises' }), source(4, { title: '' })],
  };
  const { opened, user } = await show(row);
  const list = within(screen.getByRole('list', { name: 'Sources' }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '[1] HowU+202E bread rises site1.example',
    '[4] https://site4.example/ site4.example',
  ]);
  await user.click(list.getByRole('link', { name: 'https://site4.example/' }));
  expect(opened).toEqual(['https://site4.example/']);
});

it('A passage under the answer opens in the window by the name of its place', async () => {
  const found = source(1, { title: 'Manuals/p7.md, line 3', url: '', passage: 'Open valve B first.' });
  const { user } = await show({ key: 'sources:t', newTurn: false, kind: 'sources', sources: [found] });
  await user.click(screen.getByRole('button', { name: 'Manuals/p7.md, line 3' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('Open valve B first.');
});

const call = (sources: Source[]): Item =>
  ({ kind: 'tool', display: { kind: 'sources', sources } }) as ToolItem;

test('the sources of a turn come from all of its calls, each number once and in order', () => {
  const [one, two, three] = [source(1), source(2), source(3)];
  expect(sourcesOf([call([two, three]), call([source(2), one])])).toEqual([one, two, three]);
});

test('of the sources those are listed that the answer cites, or all where it cites none', () => {
  const all = [source(1), source(2), source(12)];
  expect(shownSources(all, 'So [12] says.').map(({ number }) => number)).toEqual([12]);
  expect(shownSources(all, 'So they say.')).toEqual(all);
});
