/** A server as it is typed, and the entry of `mcp.json` that it becomes. */
import { connectionsPane } from '../../text.ts';

const { form: text } = connectionsPane;

export type ConnectionKind = 'command' | 'address' | 'paste';

export interface ConnectionDraft {
  kind: ConnectionKind;
  name: string;
  /** The program and its arguments, one per line: a blank in one of them parts nothing. */
  command: string;
  variables: string;
  url: string;
  headers: string;
  paste: string;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

/** Or what is wrong, in words. The host checks all of it once more. */
export function entryText(draft: ConnectionDraft): { text: string } | { problem: string } {
  if (draft.kind === 'paste')
    return draft.paste.trim() === '' ? { problem: text.noPaste } : { text: draft.paste };
  const name = draft.name.trim();
  if (!namePattern.test(name)) return { problem: text.noName };
  const entry = draft.kind === 'command' ? commandEntry(draft) : addressEntry(draft);
  return 'problem' in entry ? entry : { text: JSON.stringify({ mcpServers: { [name]: entry.value } }) };
}

type Entry = { value: object } | { problem: string };

function commandEntry({ command, variables }: ConnectionDraft): Entry {
  const [program, ...args] = linesOf(command);
  const env = pairsOf(variables, '=');
  if (program === undefined) return { problem: text.noCommand };
  if (env === null) return { problem: text.badVariables };
  return { value: { command: program, args, env } };
}

function addressEntry({ url, headers }: ConnectionDraft): Entry {
  const address = url.trim();
  const pairs = pairsOf(headers, ':');
  if (!/^https?:\/\/[^/\s]/i.test(address) || !URL.canParse(address)) return { problem: text.noUrl };
  if (pairs === null) return { problem: text.badHeaders };
  return { value: { type: 'http', url: address, headers: pairs } };
}

const linesOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** null = one of them has no name, or no sign behind it. */
function pairsOf(typed: string, sign: string): Record<string, string> | null {
  const pairs = linesOf(typed).map((line) => {
    const at = line.indexOf(sign);
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const;
  });
  return pairs.some(([name]) => name === '') ? null : Object.fromEntries(pairs);
}
