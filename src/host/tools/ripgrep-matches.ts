/**
 * Reads what ripgrep prints with `--null --with-filename --line-number --no-heading`: `path NUL number:text` and a line end;
 * `number-text` for a line that only stands near a match.
 */

export interface RipgrepMatch {
  path: string;
  line: number;
  text: string;
  /** False: printed for a match that stands near it. */
  isMatch: boolean;
}

/** ripgrep says it of the file whose matches it has just printed, where it found bytes that are no text. */
const binaryRemark =
  /^: (?:WARNING: stopped searching binary file after match|binary file matches) \(found ".*?" byte around offset \d+\)\n/;

/**
 * Returns what takes the output, in pieces of any size. A path goes up to the NUL, whatever is in it: a name may hold a
 * line break, and would else be taken for two entries.
 */
export function createMatchReader(onMatch: (match: RipgrepMatch) => void): (output: string) => void {
  let rest = '';
  let lastPath = '';
  const pathFrom = (printed: string): string => {
    if (!printed.startsWith(lastPath)) return printed;
    const remark = binaryRemark.exec(printed.slice(lastPath.length))?.[0] ?? '';
    return remark === '' ? printed : printed.slice(lastPath.length + remark.length);
  };
  return (output) => {
    rest += output;
    let from = 0;
    for (;;) {
      const nul = rest.indexOf('\0', from);
      const end = nul === -1 ? -1 : rest.indexOf('\n', nul);
      if (end === -1) break;
      lastPath = pathFrom(rest.slice(from, nul));
      const line = rest.slice(nul + 1, end);
      const sign = /[:-]/.exec(line)?.index ?? -1;
      const number = Number(line.slice(0, sign));
      onMatch({ path: lastPath, line: number, text: line.slice(sign + 1), isMatch: line[sign] === ':' });
      from = end + 1;
    }
    rest = rest.slice(from);
  };
}
