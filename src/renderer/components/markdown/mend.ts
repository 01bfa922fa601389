/** Closes what the end of a streamed block has left open, so that markup does not flash as text. For display only. */
export function mend(raw: string): string {
  const lineStart = raw.lastIndexOf('\n') + 1;
  const before = raw.slice(0, lineStart);
  return before + mendLine(raw.slice(lineStart));
}

function mendLine(line: string): string {
  if (count(line, '`') % 2 === 1) {
    // A lone tick at the end says nothing yet; text after it is code being written.
    return line.endsWith('`') ? line.slice(0, -1) : `${line}\``;
  }
  // "[text](htt": the text alone, until the address is whole.
  const link = /!?\[([^\][\n]*)(?:\]\([^()\s]*)$/.exec(line);
  const text = link ? line.slice(0, link.index) + (link[1] ?? '') : line;
  return closeMark(closeMark(text, '**'), '~~');
}

function closeMark(line: string, mark: '**' | '~~'): string {
  const outsideCode = line.replaceAll(/`[^`]*`/g, '');
  if (count(outsideCode, mark) % 2 === 0) return line;
  return line.endsWith(mark) ? line.slice(0, -mark.length) : line.trimEnd() + mark;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
