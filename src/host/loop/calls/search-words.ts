/** What a search can be for: words of the message, since a small model invents patterns that nobody wrote. */

const quoted = /["'`“„«]([^"'`”“»\n]{2,60})["'`”“»]/gu;
const word = /[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*[\p{L}\p{N}_$]/gu;
const maxWords = 40;

/** Codes, quotes and names, as far as there are any; else every word. Paths that exist are no text in files. */
export function searchWords(message: string, entries: readonly string[]): string[] {
  const names = new Set(
    entries.flatMap((path) => {
      const plain = path.replace(/\/$/, '');
      return [plain, ...plain.split('/')];
    }),
  );
  const words = [...message.matchAll(word)]
    .map(([text]) => text)
    .filter((text) => !names.has(text) && !/\.[a-z]\w{0,4}$/.test(text));
  const telling = [
    ...[...message.matchAll(quoted)].flatMap(([, text]) => text ?? []),
    ...words.filter((text) => /\d/.test(text) || /\p{Ll}\p{Lu}|_/u.test(text)),
  ].filter((text) => !names.has(text));
  const found = telling.length > 0 ? telling : words.filter((text) => text.length >= 4);
  return [...new Set(found)].slice(0, maxWords);
}
