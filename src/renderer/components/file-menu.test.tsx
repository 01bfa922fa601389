import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { FileActionsContext, useFileMenu, type FileAction } from './file-menu.tsx';

function Row({ path }: { path: string | null }) {
  const { onContextMenu, menu } = useFileMenu(path);
  return (
    <>
      <button type="button" onContextMenu={onContextMenu}>
        row
      </button>
      {menu}
    </>
  );
}

function rowOf(path: string | null, offered: FileAction[] | null) {
  const ran: string[] = [];
  const actions = offered && {
    offered,
    run: (action: FileAction, of: string) => void ran.push(`${action} ${of}`),
  };
  render(
    <FileActionsContext value={actions}>
      <Row path={path} />
    </FileActionsContext>,
  );
  const row = screen.getByRole('button', { name: 'row' });
  /** False = the browser's own menu opens. */
  const ask = (): boolean => !fireEvent.contextMenu(row);
  return { ran, row, ask, user: userEvent.setup() };
}

it('offers what there is here, runs it with the path, and gives the keyboard back', async () => {
  const { ran, row, ask, user } = rowOf('src/a.ts', ['open', 'show', 'copyPath']);
  row.focus();
  expect(ask()).toBe(true);
  const menu = await screen.findByRole('menu', { name: 'Actions for src/a.ts' });
  expect([...menu.children].map((item) => item.textContent)).toEqual([
    'Open file',
    'Show in folder',
    'Copy path',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Show in folder' }));
  expect(ran).toEqual(['show src/a.ts']);
  await expect.poll(() => document.activeElement).toBe(row);
});

it('the menu of a file that the system may not open offers its folder instead (audit-S24)', async () => {
  const { ask } = rowOf('report.docm', ['open', 'show', 'copyPath']);
  ask();
  const menu = await screen.findByRole('menu', { name: 'Actions for report.docm' });
  expect([...menu.children].map((item) => item.textContent)).toEqual(['Show in folder', 'Copy path']);
});

it.each([
  ['what names no file', null, ['open' as const]],
  ['a place from where no file can be reached', 'src/a.ts', null],
])('leaves the menu of the browser to %s', (_, path, offered) => {
  expect(rowOf(path, offered).ask()).toBe(false);
});

it('leaves it to selected words, which it copies', () => {
  const { row, ask } = rowOf('src/a.ts', ['copyPath']);
  getSelection()?.selectAllChildren(row);
  expect(ask()).toBe(false);
});
