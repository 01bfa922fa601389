/**
 * From the name that a model wrote to the tool that it can only have meant.
 * A name that reads never becomes a tool that changes something, and what no tool does (delete, move) stays unknown.
 */
import type { ToolSchema } from '../../tools/tool.ts';
import { type OfferedTool, plainName } from './offered-tool.ts';

export interface FoundTool {
  tool: OfferedTool;
  /** In words, for the card; null = the name was right. */
  repair: string | null;
}

const maxNameLength = 64;

/** Prefixes that templates and other clients put before a name. */
const namespace = /^(?:(?:functions?|default_api|tools?|api|mcp|call)(?:\.|::|__|:|\/))+/i;
/** What some models put behind it: the number of the call. */
const callNumber = /:\d{1,3}$/;

/** Names of other clients' tools, in plain style, by the tool here that does the same. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'read_file',
    words(
      'cat read open view head tail openfile viewfile showfile loadfile getfile getfilecontent getfilecontents readtextfile readfilecontent readfilecontents fileread',
    ),
  ],
  [
    'list_files',
    words(
      'ls dir list listdir listdirectory listfolder listfile listfilesindirectory getfiles showfiles readdir readdirectory listdircontents',
    ),
  ],
  [
    'search',
    words(
      'grep rg ripgrep searchfiles searchfile searchtext findtext findinfiles searchinfiles searchcode codesearch grepsearch searchcontent searchfilecontent filecontentsearch',
    ),
  ],
  ['glob', words('find findfile findfiles filesearch globfiles findbyname searchfilenames')],
  [
    'write_file',
    words('createfile create savefile save newfile write writetofile writetextfile filewrite putfile'),
  ],
  [
    'edit_file',
    words(
      'strreplace strreplaceeditor replaceinfile edit applyedit modifyfile updatefile replacetext replace patchfile searchreplace changefile fileedit',
    ),
  ],
  [
    'run_command',
    words(
      'bash sh shell zsh terminal cmd powershell exec execute run command executecommand execcommand runshellcommand executeshell executeshellcommand runterminalcommand runterminalcmd runbash executebash runshell shellexec shellcommand',
    ),
  ],
]);

/** The same for arguments. */
const argumentSynonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['path', words('file filepath filename absolutepath relativepath targetfile dir directory folder dirpath')],
  ['content', words('contents text filecontent filetext data')],
  ['pattern', words('query regex regexp search searchterm text glob keyword')],
  ['command', words('cmd shellcommand bash')],
  ['old_text', words('oldstr oldstring old search find original')],
  ['new_text', words('newstr newstring new replace replacement')],
  ['start_line', words('start startline linestart firstline')],
  ['end_line', words('end endline lineend lastline')],
]);

const reads =
  /^(?:read|get|show|view|cat|list|ls|dir|find|search|grep|rg|glob|open|look|check|head|tail|print|load|fetch|count)/;
const changes =
  /^(?:write|create|save|edit|change|modify|update|replace|patch|delete|remove|rm|move|mv|rename|copy|cp|append|run|exec|install|put|set|make|mkdir)/;

/** `loosely` false: only the same name in another style or with a prefix, for text that may be an example of code. */
export function findTool(
  written: string,
  offered: readonly OfferedTool[],
  loosely = true,
): FoundTool | undefined {
  const exact = offered.find(({ name }) => name === written);
  if (exact) return { tool: exact, repair: null };
  if (written.length > maxNameLength) return undefined;

  const name = plainName(written.trim().replace(namespace, '').replace(callNumber, ''));
  const styled = only(offered.filter((tool) => plainName(tool.name) === name));
  const tool = styled ?? (loosely ? meant(name, offered) : undefined);
  return tool && { tool, repair: `took ${written} as ${tool.name}` };
}

/** Whether a text speaks of an offered tool: `read_file` anywhere, a plain word such as `search` only in backquotes. */
export function mentionsTool(text: string, offered: readonly OfferedTool[]): boolean {
  return offered.some(({ name }) => text.includes(name.includes('_') ? name : `\`${name}\``));
}

function meant(name: string, offered: readonly OfferedTool[]): OfferedTool | undefined {
  const known = offered.find((tool) => synonyms.get(tool.name)?.includes(name));
  const tool = known ?? only(offered.filter((tool) => isMisspelt(name, plainName(tool.name))));
  if (!tool) return undefined;
  // Only the table may say that a name which sounds like the one does the other.
  if (tool.mutates) return reads.test(name) ? undefined : tool;
  return known || !changes.test(name) ? tool : undefined;
}

export interface NamedArguments {
  args: Record<string, unknown>;
  repairs: string[];
}

/** Every key under the schema's own name for it, where that is plain; the values stay as they are. */
export function nameArguments(schema: ToolSchema, given: Record<string, unknown>): NamedArguments {
  const repairs: string[] = [];
  const taken = new Set(Object.keys(given));
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    const name = argumentName(key, schema);
    if (name === undefined || name === key || taken.has(name)) return [key, value];
    taken.add(name);
    repairs.push(`took ${key.slice(0, maxNameLength)} as ${name}`);
    return [name, value];
  });
  return { args: Object.fromEntries(entries), repairs };
}

function argumentName(key: string, { properties }: ToolSchema): string | undefined {
  if (Object.hasOwn(properties, key)) return key;
  const plain = plainName(key);
  const names = Object.keys(properties);
  return (
    names.find((name) => plainName(name) === plain) ??
    only(names.filter((name) => argumentSynonyms.get(name)?.includes(plain)))
  );
}

/** One slip of the finger, two in a long name: a letter too many, missing, wrong, or two exchanged. */
function isMisspelt(written: string, name: string): boolean {
  const most = name.length >= 8 ? 2 : 1;
  return name.length > 4 && Math.abs(written.length - name.length) <= most && distance(written, name) <= most;
}

function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = [(old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + (same ? 0 : 1)];
      row.push(Math.min(...edits, exchanged ? (older[j - 2] ?? 0) + 1 : Infinity));
    }
    older = old;
    old = row;
  }
  return old[b.length] ?? 0;
}

const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

function words(list: string): string[] {
  return list.split(' ');
}
