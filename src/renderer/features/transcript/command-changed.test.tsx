import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CommandChanges } from '../../../protocol/model.ts';
import { anItem } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ToolBody } from './tool-body.tsx';
import { ToolFacts } from './tool-facts.tsx';

async function show(changes: CommandChanges | null | undefined): Promise<string> {
  const display = { kind: 'command', command: 'make', exitCode: 0, signal: null, changes } as const;
  const item = anItem('tool', { state: 'done', tool: 'run_command', display, output: 'made\n' });
  const { container } = renderIn(
    await openTestWindow(),
    <>
      <ToolFacts item={item} />
      <ToolBody item={item} />
    </>,
  );
  return container.textContent;
}

const file = (path: string, more: Partial<CommandChanges['files'][number]> = {}) => ({
  path,
  added: 0,
  removed: 0,
  what: 'changed' as const,
  ...more,
});

it('says file by file what a command did, and where undo does not reach', async () => {
  const text = await show({
    files: [
      file('a.txt', { added: 3, removed: 1 }),
      file('b.txt', { what: 'removed' }),
      file('c.sh', { what: 'mode' }),
      file('d.txt', { added: 1_200, removed: 0 }),
      file('e.txt', { added: 0, removed: 2 }),
    ],
    total: 5,
    uncovered: [
      { path: 'node_modules', changed: 1_204 },
      { path: '.git', changed: null },
    ],
  });
  expect(text).toContain('exit 0 · 5 files');
  const [list] = screen.getAllByRole('list');
  const rows = within(list ?? document.body).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'a.txt+3 −1',
    'b.txtremoved',
    'c.shpermissions',
    'd.txt+1,200',
    'e.txt−2',
  ]);
  expect(text).toContain('node_modules: 1,204 entries changed, not covered by undo');
  expect(text).toContain('.git: not looked into, not covered by undo');
});

it('lists a few of very many', async () => {
  const files = Array.from({ length: 200 }, (_, at) => file(`f${String(at)}`));
  const text = await show({ files, total: 5_000, uncovered: [] });
  expect(text).toContain('Changed 5,000 files');
  expect(text).toContain('and 4,980 files more');
});

it('says that what it did cannot be told', async () => {
  expect(await show(null)).toContain('Andiron could not tell what it changed, so undo does not cover it.');
});

it('says nothing of a command that changed nothing, or from before commands were recorded', async () => {
  expect(await show({ files: [], total: 0, uncovered: [] })).not.toContain('Changed');
  expect(await show(undefined)).not.toContain('hanged');
});
