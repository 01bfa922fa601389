/** What a text has around its lines and no tool shows: how they end, and the mark before them. Pure. */

const byteOrderMark = '\uFEFF';

/** Every line ends with CR LF, and there is no other return; true of a text without line ends too. */
export const isDos = (text: string): boolean => !/(?<!\r)\n|\r(?!\n)/.test(text);

/** Reading hid the returns and the mark of `before`, so who writes it whole cannot write them back. */
export function inFormOf(before: string, content: string): string {
  const isShownForm = before.includes('\r\n') && isDos(before) && !content.includes('\r');
  const text = isShownForm ? content.replaceAll('\n', '\r\n') : content;
  return before.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark) ? byteOrderMark + text : text;
}
