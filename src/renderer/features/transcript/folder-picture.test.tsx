import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AndironError } from '../../../protocol/errors.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FileViewer } from '../viewer/file-viewer.tsx';
import { drawFolderPicture } from './folder-picture.tsx';

async function open(answer: () => { name: string; mime: string; data: string } | AndironError) {
  const window = await openTestWindow();
  window.stores.session.setState({ sessionId: 's1' });
  window.host.answer('file/read-picture', answer);
  renderIn(
    window,
    <>
      {drawFolderPicture({ path: 'out/chart.png', alt: 'Sales' })}
      <FileViewer />
    </>,
  );
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

const chart = () => ({ name: 'chart.png', mime: 'image/png', data: 'AAAA' });

it('A picture of the folder is read by its path, shown with its words, and names its place', async () => {
  const window = await open(chart);
  expect(window.host.last('file/read-picture')).toEqual({ sessionId: 's1', path: 'out/chart.png' });
  expect(screen.getByRole<HTMLImageElement>('img', { name: 'Sales' }).src).toBe('data:image/png;base64,AAAA');
  expect(screen.getByText('out/chart.png')).toBeTruthy();
  expect(screen.getByText('from this folder')).toBeTruthy();
});

it('A picture of the folder opens in the viewer', async () => {
  const window = await open(chart);
  await window.user.click(screen.getByRole('button', { name: 'Open chart.png' }));
  await act(() => settled());
  expect(screen.getByRole('dialog', { name: 'chart.png' })).toBeTruthy();
});

it('A picture that is not in the folder is words that say why', async () => {
  await open(() => new AndironError('not_found', 'There is no out/chart.png in this folder.', 'Ask.'));
  expect(screen.queryByRole('img')).toBeNull();
  expect(document.body.textContent).toContain('image: Sales (There is no out/chart.png in this folder.)');
});

it('A picture whose data are damaged is words that say so', async () => {
  await open(chart);
  fireEvent.error(screen.getByRole('img', { name: 'Sales' }));
  expect(document.body.textContent).toContain('out/chart.png is damaged and can’t be shown.');
});
