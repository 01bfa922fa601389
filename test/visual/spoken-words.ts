/** Everything that a page says, and how it says it in another language. */
import type { GalleryPage, NamedLook } from './gallery-site.ts';

const freshLooks = 3;

/**
 * English words that stay when the language of a drawn scene is changed, and that a scene drawn in it from the first does not
 * have. `look` is drawn already; the page is in its language afterwards. Code is left out: its colours come later, and cut it
 * into other pieces.
 */
export async function leftBehind(gallery: GalleryPage, look: NamedLook): Promise<string[]> {
  const { language = 'en' } = look;
  const fresh = new Set(await wordsOf(gallery));
  await gallery.show({ ...look, language: 'en' });
  const before = new Set(await wordsOf(gallery));
  await gallery.speak(language);
  let left = (await wordsOf(gallery)).filter((words) => before.has(words) && !fresh.has(words));
  // A drawing that was not made in time is code the first time and a picture the next: what a scene shows in both languages
  // is there when it is drawn anew.
  for (let again = 0; again < freshLooks && left.length > 0; again += 1) {
    await gallery.show({ ...look, scene: null });
    await gallery.show(look);
    const anew = new Set(await wordsOf(gallery));
    left = left.filter((words) => !anew.has(words));
  }
  return left.map((words) => `still says ${words}`);
}

async function wordsOf(gallery: GalleryPage): Promise<string[]> {
  await gallery.untilDrawn();
  return gallery.page.evaluate(`(${String(spokenWords)})()`);
}

/** In the page. */
function spokenWords(): string[] {
  const said: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element) {
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
        said.push(node.getAttribute(name) ?? '');
    } else if (!node.parentElement?.closest('code, pre, .code, .diff, math, style'))
      said.push(node.nodeValue?.trim() ?? '');
  }
  return said.filter((words) => words !== '');
}
