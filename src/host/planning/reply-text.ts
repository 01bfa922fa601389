/** What a reply in a planning phase says, without what models wrap it in. */

const tags = 'think|thinking|thought|reasoning';

/**
 * Without thinking that the engine left in the text. A closing mark without an opening one closes what the template
 * opened; an opening mark that is never closed leaves nothing. One pass, however many marks there are.
 */
export function withoutThinking(reply: string): string {
  const opening = new RegExp(String.raw`\s*[<[](?:${tags})[>\]]`, 'iy');
  const closing = new RegExp(String.raw`[<[]/(?:${tags})[>\]]`, 'gi');
  let start = 0;
  while (opening.test(reply)) {
    closing.lastIndex = opening.lastIndex;
    if (!closing.test(reply)) return '';
    start = closing.lastIndex;
    opening.lastIndex = start;
  }
  const rest = reply.slice(start);
  const mark = new RegExp(String.raw`[<[](/?)(?:${tags})[>\]]`, 'i').exec(rest);
  const orphan = start === 0 && mark?.[1] === '/';
  return (orphan ? rest.slice(mark.index + mark[0].length) : rest).trim();
}

/** Not the `**` of a path pattern. */
export function withoutBold(text: string): string {
  return text.replaceAll(/(?<!\/)\*\*(?!\/)/g, '');
}

/** One line without its bullet, quote or heading mark, bold and code marks. */
export function plainLine(line: string): string {
  return withoutBullet(withoutBold(line)).replaceAll('`', '').trim();
}

export function withoutBullet(line: string): string {
  return line.replace(/^[\s>#*+•-]+/, '').trim();
}

/** At most `length` characters, with a mark where more was. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half of a surrogate pair is no character.
  return `${text
    .slice(0, length - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
