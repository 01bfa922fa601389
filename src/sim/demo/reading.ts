/** What the demo finds in tool results. Rules only: nothing here knows the sample workspace. */

export interface MarkdownFacts {
  title: string | undefined;
  /** First paragraph of prose, on one line. */
  summary: string | undefined;
  headings: string[];
  bullets: string[];
  /** Lines of shell code blocks, without their comments. */
  commands: string[];
}

const LINE_NUMBER = /^\s*\d+(?:[:|→]|\t| {2,})\s?/;

/** Some tools say first which lines they show. */
const RANGE = /^lines? \d+-\d+ of (\d+).*\n/i;

/** Results without the range and the line numbers that some tools put around the text. */
export function plainText(result: string): string {
  const text = result.replace(RANGE, '');
  const lines = text.split('\n');
  const numbered = lines.filter((line) => LINE_NUMBER.test(line)).length;
  if (numbered < lines.filter((line) => line.trim() !== '').length * 0.8) return text;
  return lines.map((line) => line.replace(LINE_NUMBER, '')).join('\n');
}

export function readMarkdown(result: string): MarkdownFacts {
  const text = plainText(result);
  const blocks = text.split(/\n\s*\n/).map((block) => block.trim());
  const prose = blocks.find((block) => /^[A-Za-z*_"]/.test(block) && !block.startsWith('```'));
  const matches = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]?.trim() ?? '');
  return {
    title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim(),
    summary: prose?.replaceAll(/\s+/g, ' '),
    headings: matches(/^##\s+(.+)$/gm),
    bullets: matches(/^[-*]\s+(?!\[)(.+)$/gm),
    commands: [...text.matchAll(/```(?:sh|bash|console|shell)\n([\s\S]*?)```/g)].flatMap((match) =>
      (match[1] ?? '')
        .split('\n')
        .map((line) =>
          line
            .replace(/\s+#.*$/, '')
            .replace(/^\$ /, '')
            .trim(),
        )
        .filter((line) => line !== ''),
    ),
  };
}

/** Entries of a folder listing, folders with a slash at the end. */
export function readListing(result: string): { folders: string[]; files: string[] } {
  const entries = plainText(result)
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s├└│─•*-]+/, '')
        .replace(/\s+\(?[\d.,]+\s?(?:bytes|[kKMG]i?B|B)\)?$/, '')
        .trim(),
    )
    .filter((line) => /^[\w.@][^\n:]*$/.test(line) && !/\s{2}|\.\.\.|truncated/.test(line));
  return {
    folders: [...new Set(entries.filter((entry) => entry.endsWith('/')).concat(entries.flatMap(parentOf)))],
    files: entries.filter((entry) => !entry.endsWith('/')),
  };
}

/** A listing may go into the depth; then the first folder of a path is worth naming. */
function parentOf(entry: string): string[] {
  const slash = entry.indexOf('/');
  return slash > 0 && slash < entry.length - 1 ? [entry.slice(0, slash + 1)] : [];
}

export interface SearchHit {
  file: string;
  line: string;
  text: string;
}

/** Hits of the usual form `file:line: text`. */
export function readHits(result: string): SearchHit[] {
  return [...result.matchAll(/^(?:\.\/)?([^\s:][^:\n]*):(\d+):(?:\d+:)?\s?(.*)$/gm)].map((match) => ({
    file: match[1] ?? '',
    line: match[2] ?? '',
    text: (match[3] ?? '').trim(),
  }));
}

export interface TestOutcome {
  passed: number;
  failed: number;
}

/** Counts as Node, vitest, jest, mocha and pytest print them. */
export function readTestOutcome(output: string): TestOutcome | undefined {
  const count = (word: string) =>
    Number(
      new RegExp(`(?:^|[#ℹ\\s])${word}(?:ed|ing)?\\s+(\\d+)|(\\d+)\\s+${word}(?:ed|ing)?`, 'm')
        .exec(output)
        ?.slice(1)
        .find(Boolean) ?? Number.NaN,
    );
  const passed = count('pass');
  const failed = count('fail');
  if (Number.isNaN(passed) && Number.isNaN(failed)) return undefined;
  return { passed: passed || 0, failed: failed || 0 };
}

/** What a source file offers, by its own words. */
export function readSource(result: string): {
  lines: number;
  comment: string | undefined;
  exports: string[];
} {
  const text = plainText(result);
  const comment = /^(?:\/\/|#)\s?(.+(?:\n(?:\/\/|#)\s?.+)*)/
    .exec(text)?.[1]
    ?.replaceAll(/\n(?:\/\/|#)\s?/g, ' ');
  const names = [...text.matchAll(/^(?:export (?:async )?(?:function|const|class)|def|pub fn) (\w+)/gm)];
  const total = Number(RANGE.exec(result)?.[1] ?? text.trimEnd().split('\n').length);
  return { lines: total, comment, exports: names.map((match) => match[1] ?? '') };
}

/** The script of that name in a package.json. */
export function readPackageScript(result: string, script: string): string | undefined {
  return new RegExp(`"${script}"\\s*:\\s*"([^"]+)"`).exec(plainText(result))?.[1];
}
