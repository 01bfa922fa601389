import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ResultFile } from '../../../protocol/result-files.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FileViewer } from '../viewer/file-viewer.tsx';
import { TurnFiles } from './turn-files.tsx';

const file = (more: Partial<ResultFile> = {}): ResultFile => ({
  id: 'file_1',
  turnId: 't',
  itemId: 'i',
  tool: 'create_document',
  name: 'tutorials.md',
  path: 'tutorials.md',
  url: null,
  bytes: 2_048,
  mime: 'text/markdown',
  at: 1,
  ...more,
});

async function open(files: ResultFile[]) {
  const window = await openTestWindow();
  window.stores.session.setState({ sessionId: 's1' });
  let text = '# Tutorials';
  window.host.answer('file/read-result', () => ({
    name: 'tutorials.md',
    mime: 'text/markdown',
    data: btoa(text),
  }));
  renderIn(
    window,
    <>
      <TurnFiles files={files} />
      <FileViewer />
    </>,
  );
  return { ...window, user: userEvent.setup(), write: (next: string) => (text = next) };
}

it('A chip of a result file has its name and size, and opens it in the viewer (C4, X7)', async () => {
  const window = await open([file()]);
  expect(screen.getByRole('listitem').textContent).toContain('2 kB');
  await window.user.click(screen.getByRole('button', { name: /tutorials\.md/ }));
  await act(() => settled());
  expect(window.host.last('file/read-result')).toEqual({ sessionId: 's1', fileId: 'file_1' });
  expect(screen.getByRole('dialog').textContent).toContain('# Tutorials');
});

it('A result file is read again each time it is opened: it may have been written since (C4)', async () => {
  const window = await open([file()]);
  const chip = screen.getByRole('button', { name: /tutorials\.md/ });
  await window.user.click(chip);
  await act(() => settled());
  await window.user.keyboard('{Escape}');
  window.write('# New');
  await window.user.click(chip);
  await act(() => settled());
  expect(screen.getByRole('dialog').textContent).toContain('# New');
});

it('A result file that is gone says so in the viewer (X7)', async () => {
  const window = await open([file()]);
  window.host.answer('file/read-result', () => new Error('tutorials.md is gone.'));
  await window.user.click(screen.getByRole('button', { name: /tutorials\.md/ }));
  await act(() => settled());
  expect(screen.getByRole('dialog').textContent).toContain('tutorials.md is gone.');
});

it('A result file on a server is named and opens nothing (X7)', async () => {
  await open([file({ path: null, url: 'javascript:alert(1)', bytes: null })]);
  expect(screen.getByRole('listitem').textContent).toContain('on a server');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});
