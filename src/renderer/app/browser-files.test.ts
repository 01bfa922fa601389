import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { pageFiles } from './browser-files.ts';

const clicked: { href: string; name: string }[] = [];
let made = 0;

beforeEach(() => {
  clicked.length = 0;
  made = 0;
  vi.stubGlobal('URL', {
    createObjectURL: () => `blob:app://andiron/${String((made += 1))}`,
    revokeObjectURL: () => undefined,
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push({ href: this.href, name: this.download });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('A file that is saved in a browser is handed over, and no more is claimed (desk-F1)', async () => {
  expect(await pageFiles(window, null).save('a.json', '{}', 'application/json')).toBe('handed-over');
  expect(clicked).toEqual([{ href: 'blob:app://andiron/1', name: 'a.json' }]);
});

it('A file that is saved on the desktop has the outcome that main tells of this very file (desk-F1)', async () => {
  const desktop = new FakeDesktop('linux');
  const listeners = new Set<(ended: Parameters<FakeDesktop['endDownload']>[0]) => void>();
  desktop.downloads.onDone = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const end: FakeDesktop['endDownload'] = (ended) => {
    for (const listener of listeners) listener(ended);
  };
  const files = pageFiles(window, desktop);
  const first = files.save('a.json', '{}', 'application/json');
  const second = files.save('b.json', '{}', 'application/json');
  end({ url: 'blob:app://andiron/2', outcome: 'cancelled' });
  end({ url: 'blob:app://andiron/1', outcome: 'completed' });
  expect(await Promise.all([first, second])).toEqual(['completed', 'cancelled']);
  expect(listeners.size).toBe(0);
});
