/** Where words that were looked for stand in what is drawn. */

/** As the host compares: without regard to case, and to how accents are stored. */
export function foldedWords(text: string): string {
  return text.normalize('NFC').toLowerCase().trim();
}

/** Each place inside one run of text; words that change their style in the middle are marked by their row alone. */
export function rangesOf(root: Element, words: string): Range[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const ranges: Range[] = [];
  const texts = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      // Lower case may be longer in a few scripts: what would stand beyond the text is left out.
      if (at + wanted.length > (node.nodeValue ?? '').length) break;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
