import type { PageFiles } from '../commands/page-files.ts';
import { reducePicture } from './reduce-picture.ts';

/** By the means of a page: a download, and the browser's own file chooser. */
export function pageFiles(page: Window): PageFiles {
  const { document } = page;
  return {
    save(name, content, type) {
      const address = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type }));
      const link = document.createElement('a');
      link.href = address;
      link.download = name;
      link.click();
      // The download has its own hold on it from here on.
      URL.revokeObjectURL(address);
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
