import { plainText, readHits, readMarkdown, readSource, readTestOutcome } from './reading.ts';

/** Answers in markdown, made of what tools returned. */

const QUOTED_LINES = 12;
const SHOWN_HITS = 12;
const LONGEST_CELL = 80;

const LANGUAGES: Record<string, string> = {
  js: 'js',
  ts: 'ts',
  py: 'python',
  rs: 'rust',
  json: 'json',
  sh: 'sh',
  md: 'markdown',
  csv: 'csv',
};

interface FileText {
  name: string;
  text: string;
}

/** The folder and, if one was read, its readme. */
export function describeFolder(
  entries: { folders: string[]; files: string[] },
  read: FileText | undefined,
): string {
  const facts = read && readMarkdown(read.text);
  const title = facts?.title;
  const topFiles = entries.files.filter((file) => !file.includes('/'));
  const parts = [
    title === undefined ? 'This is what I found.' : `This folder holds **${title}**.`,
    facts?.summary === undefined ? '' : `> ${facts.summary}`,
    facts !== undefined && facts.bullets.length > 0
      ? `By its own account it\n\n${facts.bullets.map((bullet) => `- ${bullet}`).join('\n')}`
      : '',
    entries.folders.length > 0 ? `**Folders:** ${list(entries.folders)}` : '',
    topFiles.length > 0 ? `**Files:** ${list(topFiles)}` : '',
    facts !== undefined && facts.commands.length > 0
      ? `To use it, the readme says:\n\n\`\`\`sh\n${facts.commands.join('\n')}\n\`\`\``
      : '',
    facts !== undefined && facts.headings.length > 0
      ? `It goes on about ${facts.headings.map(quote).join(', ')}.`
      : '',
    read === undefined ? 'There is no readme, so what it is for I can only guess from the names.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Sources whose name no test carries. */
export function describeUntested(sources: readonly string[], tests: readonly string[]): string {
  const tested = new Set(tests.map(stem));
  const missing = sources.filter((file) => !tested.has(stem(file)));
  if (missing.length === 0) return 'Every source file has a test of its name.';
  const rows = missing.map((file) => `- \`${file}\``);
  return `${missing.length} of ${sources.length} source files have no test of their name:\n\n${rows.join('\n')}\n\nI compared names only. Which of them is the riskiest, a real model can say.`;
}

export function describeFile(path: string, result: string): string {
  const { lines, comment, exports } = readSource(result);
  const facts = readMarkdown(result);
  const shown = plainText(result).split('\n').slice(0, QUOTED_LINES).join('\n').trimEnd();
  const about = comment ?? (path.endsWith('.md') ? facts.summary : undefined);
  return [
    `\`${path}\` has ${lines} lines.${about === undefined ? '' : ` It says of itself:\n\n> ${about}`}`,
    exports.length > 0 ? `It offers ${exports.map((name) => `\`${name}\``).join(', ')}.` : '',
    `It begins like this:\n\n\`\`\`${LANGUAGES[path.split('.').at(-1) ?? ''] ?? ''}\n${shown}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function describeHits(pattern: string, result: string): string {
  const hits = readHits(result);
  if (hits.length === 0)
    return `Nothing here mentions “${pattern}”.\n\n> ${plainText(result).trim().split('\n')[0] ?? ''}`;
  const files = new Set(hits.map((hit) => hit.file));
  const rows = hits
    .slice(0, SHOWN_HITS)
    .map((hit) => `| \`${hit.file}\` | ${hit.line} | ${codeCell(hit.text)} |`);
  const more = hits.length > SHOWN_HITS ? `\n\nand ${hits.length - SHOWN_HITS} more.` : '';
  const found = `“${pattern}” is in ${files.size} ${files.size === 1 ? 'file' : 'files'}, ${hits.length} ${hits.length === 1 ? 'line' : 'lines'}:`;
  return `${found}\n\n| file | line | text |\n|---|---|---|\n${rows.join('\n')}${more}`;
}

export function describeRun(command: string, result: string): string {
  const outcome = readTestOutcome(result);
  const exitCode = /^exit code: (\d+)/.exec(result)?.[1];
  const tail = plainText(result).trim().split('\n').slice(-QUOTED_LINES).join('\n');
  const verdict =
    outcome === undefined
      ? `\`${command}\` has run${exitCode === undefined || exitCode === '0' ? '' : ` and failed with code ${exitCode}`}.`
      : outcome.failed === 0
        ? `All ${outcome.passed} tests pass.`
        : `${outcome.failed} of ${outcome.failed + outcome.passed} tests fail.`;
  return `${verdict}\n\n\`\`\`text\n${tail === '' ? '(no output)' : tail}\n\`\`\``;
}

/** Code in a table cell, whatever characters it has. */
function codeCell(text: string): string {
  const shown = text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
  const escaped = shown.replaceAll('|', '\\|');
  return shown.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/\..*$/, '');

const quote = (text: string): string => `“${text}”`;

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
