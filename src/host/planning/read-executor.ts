/** Who does a step, as models write it: `TOOL: x` at either end or in the middle, in brackets, bold, in small letters (D9). */
import type { Executor } from '../../protocol/plan.ts';
import { shorten } from './reply-text.ts';

/** What exists: names of tools, ids of profiles that a subagent may have. */
export interface Offered {
  tools: readonly string[];
  profiles: readonly string[];
}

export interface ReadExecutor {
  executor: Executor;
  /** The line without it. */
  rest: string;
  /** In words, where what was named does not exist; the step then is the agent's own. */
  problem: string | null;
}

const name = String.raw`[\p{L}\d][\p{L}\d_.-]*`;
const self: Executor = { kind: 'self' };

/** null = the line names nobody. */
export function readExecutor(line: string, offered: Offered): ReadExecutor | null {
  return labelled(line, offered) ?? named(line, offered) ?? itself(line);
}

/** `TOOL: name`, `(tool: name)`, `— AGENT name`; up to three words, because some write `read file`. */
function labelled(line: string, offered: Offered): ReadExecutor | null {
  const pattern = new RegExp(
    String.raw`(?<before>^|.)\s*\b(?<label>tool|agent)\b[\s"'\x60]*(?<colon>[:=]?)[\s"'\x60]*(?<name>${name}(?: ${name}){0,2})`,
    'giu',
  );
  for (const match of line.matchAll(pattern)) {
    const { before = '', label = '', colon = '', name: words = '' } = match.groups ?? {};
    const found = lookUp(words, label, offered);
    const written = label === label.toUpperCase();
    const apart = /^[—–\-|([→>,;:.]?$/u.test(before);
    const meant = colon === '' ? written && (apart || found.known) : written || apart || found.known;
    if (!meant) continue;
    const end = match.index + match[0].length - words.length + found.length;
    return {
      executor: found.executor,
      rest: cut(line, match.index + before.length, end),
      problem: found.problem,
    };
  }
  return null;
}

interface LookedUp {
  executor: Executor;
  known: boolean;
  problem: string | null;
  /** Of the words that are the name. */
  length: number;
}

function lookUp(words: string, label: string, offered: Offered): LookedUp {
  const parts = words.split(' ');
  const agentFirst = label.toLowerCase() === 'agent';
  for (let count = parts.length; count > 0; count -= 1) {
    const written = parts.slice(0, count).join(' ');
    const executor = find(written, agentFirst, offered);
    if (executor) return { executor, known: true, problem: null, length: written.length };
  }
  const first = words.replace(/[.-]*(?: .*)?$/, '');
  const nobody = /^(?:none|n|self|null)$/i.test(first);
  const what = agentFirst ? 'profile' : 'tool';
  return {
    executor: self,
    known: false,
    problem: nobody ? null : `there is no ${what} named ${shorten(first, 60)}`,
    length: first.length,
  };
}

const plain = (text: string): string => text.replaceAll(/[\s_.-]/g, '').toLowerCase();

/** Also where a tool is called an agent or the reverse, and behind a prefix such as `functions.`. */
function find(written: string, agentFirst: boolean, { tools, profiles }: Offered): Executor | null {
  const spelt = new Set([plain(written), plain(written.split('.').at(-1) ?? '')]);
  const tool = tools.find((candidate) => spelt.has(plain(candidate)));
  const profileId = profiles.find((candidate) => spelt.has(plain(candidate)));
  const asTool: Executor | null = tool === undefined ? null : { kind: 'tool', tool };
  const asAgent: Executor | null = profileId === undefined ? null : { kind: 'agent', profileId };
  return agentFirst ? (asAgent ?? asTool) : (asTool ?? asAgent);
}

/** `Executor: read_file`. */
function named(line: string, offered: Offered): ReadExecutor | null {
  const match = new RegExp(String.raw`\bexecutor\b\s*[:=][\s"'\x60]*(${name})`, 'iu').exec(line);
  const executor = match?.[1] === undefined ? null : find(match[1], false, offered);
  if (!match || !executor) return null;
  return { executor, rest: cut(line, match.index, match.index + match[0].length), problem: null };
}

/** In capitals set apart from the sentence, or in any letters where it can be nothing else. */
function itself(line: string): ReadExecutor | null {
  const match =
    /(?:^|[—–\-|([→>,;:.])\s*(SELF)(?![\w-])/u.exec(line) ??
    /[([]\s*(self)\s*[)\]]/i.exec(line) ??
    /\bexecutor\b\s*[:=]\s*(self)\b/i.exec(line);
  if (!match) return null;
  return { executor: self, rest: cut(line, match.index, match.index + match[0].length), problem: null };
}

/** The line without the part from `start` to `end`, its brackets, its arguments and the dash that led to it. */
function cut(line: string, start: number, end: number): string {
  const before = line
    .slice(0, start)
    .replace(/\bexecutor\s*[:=]?\s*$/i, '')
    .replace(/[\s"'`—–\-|([→>,;:]+$/u, '');
  const after = line
    .slice(end)
    .replace(/^["'`]*\s*(?:\([^()]*\))?["'`]*\s*[)\]]?/u, '')
    .replace(/^[\s—–\-|→>,;:.]+/u, '');
  return `${before} ${after}`.trim();
}
