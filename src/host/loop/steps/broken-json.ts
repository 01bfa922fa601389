/** An edit after which a file is no JSON any more that was before: a small model counts its brackets badly. */
import { parseJson } from '../../../protocol/json.ts';
import type { CallRecord, MadeCall } from '../calls/discipline.ts';
import { wholeFile } from '../../tools/tool.ts';
import { contentsOf } from './known-paths.ts';

/** Null = it is not, or nobody knows. Else the file. */
export function brokenJson({ name, args }: MadeCall, calls: readonly CallRecord[]): string | null {
  const { path, old_text: old, new_text: next } = (args ?? {}) as Readonly<Record<string, unknown>>;
  if (name !== 'edit_file' || typeof path !== 'string' || typeof old !== 'string' || typeof next !== 'string')
    return null;
  const [read = ''] = contentsOf([path], calls);
  const text = read.slice(read.indexOf('\n') + 1);
  const isKnown = /\.json$/i.test(path) && wholeFile.test(read) && text.includes(old) && isJson(text);
  return isKnown && !isJson(text.replace(old, () => next)) ? path : null;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
