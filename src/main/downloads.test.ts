import { session as electronSession } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import {
  FakeDownloadItem,
  FakeWebContents,
  resetElectron,
  session,
} from '../../test/helpers/electron-stub.ts';
import { channels } from '../protocol/desktop.ts';
import { guardDownloads } from './downloads.ts';

beforeEach(resetElectron);

const blob = 'blob:app://andiron/7f3c';

function guarded(downloadsDir: string | null = '/home/anna/Downloads') {
  const refused: string[] = [];
  guardDownloads(electronSession.defaultSession, {
    downloadsDir: () => downloadsDir,
    onRefused: (address) => void refused.push(address),
  });
  const page = new FakeWebContents();
  const begin = (url = blob, name = 'a-title.md'): { item: FakeDownloadItem; allowed: boolean } => {
    const item = new FakeDownloadItem(url, name);
    return { item, allowed: session.defaultSession.download(item, page) };
  };
  const told = (): unknown[] =>
    page.posted.filter(({ channel }) => channel === channels.downloadDone).map(({ message }) => message);
  return { page, refused, begin, told };
}

test('A blob of the page may be saved, first into Downloads under its own name (desk-F1)', () => {
  const { begin } = guarded();
  const { item, allowed } = begin();
  expect(allowed).toBe(true);
  expect(item.saveDialogOptions).toEqual({ defaultPath: '/home/anna/Downloads/a-title.md' });
});

test('The save dialog begins where the system begins if there is no folder of downloads (desk-F1)', () => {
  expect(guarded(null).begin(blob, '../../etc/x.md').item.saveDialogOptions).toEqual({ defaultPath: 'x.md' });
});

test.each([
  'https://evil.example/malware.exe',
  'http://127.0.0.1:11434/api/tags',
  'data:text/plain,x',
  'file:///etc/passwd',
  'app://andiron/assets/index.js',
  'blob:https://evil.example/7f3c',
  'blob:app://andiron.evil/7f3c',
  'blob:null/7f3c',
  'filesystem:app://andiron/temporary/x',
  '',
])('A download of %j is refused and told to nobody but the log (desk-F1)', (url) => {
  const { begin, refused, told } = guarded();
  const { item, allowed } = begin(url);
  item.end('cancelled');
  expect([allowed, refused, told()]).toEqual([false, [url], []]);
});

test('A blob that a page of another origin offers is refused (desk-F1)', () => {
  const { begin, page } = guarded();
  page.mainFrame.url = 'https://evil.example/';
  expect(begin().allowed).toBe(false);
});

test.each(['completed', 'cancelled', 'interrupted'] as const)(
  'The page learns that its file was %s (desk-F1)',
  (outcome) => {
    const { begin, told } = guarded();
    begin().item.end(outcome);
    expect(told()).toEqual([{ url: blob, outcome }]);
  },
);

test('A file that a full disk interrupts is told once, and ended, as nobody resumes it (desk-F1)', async () => {
  const { begin, told } = guarded();
  const { item } = begin();
  item.emit('updated', {}, 'progressing');
  item.emit('updated', {}, 'interrupted');
  expect(item.cancelled).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(item.cancelled).toBe(true);
  expect(told()).toEqual([{ url: blob, outcome: 'interrupted' }]);
});

test('The end of a file is not told to a page that is gone (desk-F1)', () => {
  const { begin, page, told } = guarded();
  const { item } = begin();
  page.destroyed = true;
  item.end('completed');
  expect(told()).toEqual([]);
});
