import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { PageFiles, SaveOutcome } from '../commands/page-files.ts';
import { reducePicture } from './reduce-picture.ts';

/** By the means of a page: a download, and the browser's own file chooser. `desktop` is null in a browser. */
export function pageFiles(page: Window, desktop: Pick<DesktopBridge, 'downloads'> | null): PageFiles {
  const { document } = page;
  return {
    save(name, content, type) {
      const address = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type }));
      const link = document.createElement('a');
      link.href = address;
      link.download = name;
      const ended = desktop ? downloadEnd(desktop, address) : Promise.resolve<SaveOutcome>('handed-over');
      link.click();
      // In a browser the download has its own hold on it from here on; the desktop may still be asking where to.
      return ended.finally(() => URL.revokeObjectURL(address));
    },
    pick(accept) {
      const input = document.createElement('input');
      input.type = 'file';
      input.accept = accept;
      return new Promise((resolve) => {
        input.addEventListener('cancel', () => resolve(null));
        input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
        input.click();
      });
    },
    reduce: reducePicture,
    async built(name) {
      const answer = await page.fetch(name);
      return answer.ok ? answer.json() : null;
    },
    choose() {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      return new Promise((resolve) => {
        input.addEventListener('cancel', () => resolve([]));
        input.addEventListener('change', () => resolve([...(input.files ?? [])]));
        input.click();
      });
    },
  };
}

/** Listens from now on. Other downloads may end before this one. */
function downloadEnd({ downloads }: Pick<DesktopBridge, 'downloads'>, address: string): Promise<SaveOutcome> {
  return new Promise((resolve) => {
    const stop = downloads.onDone(({ url, outcome }) => {
      if (url !== address) return;
      stop();
      resolve(outcome);
    });
  });
}
