/** Whether the next character of a Markdown text stands in code: there a mark is spoken of, not used. */

const fenceAtStart = /^ {0,3}(`{3,}|~{3,})/;

/** A code span ends with its line at the latest: an unpaired backtick must not hide what follows it. */
export function createCodeState() {
  /** What opened the fenced block, such as three backticks; '' = none is open. */
  let fence = '';
  let line = '';
  let blank = true;
  /** Length of the backtick run that is being written, and of the one that opened a span; 0 = none. */
  let run = 0;
  let span = 0;

  const endRun = (): void => {
    if (run > 0) span = span === 0 ? run : span === run ? 0 : span;
    run = 0;
  };

  const endLine = (): void => {
    const mark = fenceAtStart.exec(line)?.[1];
    if (fence === '') fence = mark ?? '';
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = '';
    [line, blank, run, span] = ['', true, 0, 0];
  };

  return {
    get inCode(): boolean {
      return fence !== '' || span > 0 || run > 0 || fenceAtStart.test(line);
    },
    /** Nothing but white space stands before it in its line. */
    get atLineStart(): boolean {
      return blank;
    },
    push(character: string): void {
      if (character === '\n') {
        endLine();
        return;
      }
      // No fence begins later in a line, and no line is kept longer than it takes to see one.
      if (line.length < maxLine) line += character;
      if (character.trim() !== '') blank = false;
      if (character === '`') run += 1;
      else endRun();
    },
    reset(): void {
      [fence, line, blank, run, span] = ['', '', true, 0, 0];
    },
  };
}

const maxLine = 200;
