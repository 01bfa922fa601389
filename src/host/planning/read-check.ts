/** The check of a step as models write it: `file a/b.ts`, `text "done" in notes.md`, `command npm test` (D9). */
import type { StepCheck } from '../../protocol/plan.ts';
import { withoutBold } from './reply-text.ts';

/** What is longer was not meant as a check. */
const longest = 500;

/** The form of the instruction itself, which some models copy. */
const copiedForm = /^(?:file PATH|text "WORDS" in PATH|command LINE)\b/;

/** `none` = the model says that there is nothing to check; `unclear` = it says something that the host cannot look at. */
export function readCheck(written: string): StepCheck | 'none' | 'unclear' {
  const text = withoutBold(written).trim();
  if (/^(?:none|n\/a|nothing|no|-|—)?\.?$/i.test(text)) return 'none';
  if (copiedForm.test(text)) return 'none';
  if (text.length > longest) return 'unclear';
  return commandCheck(text) ?? textCheck(text) ?? fileCheck(text) ?? 'unclear';
}

function commandCheck(text: string): StepCheck | null {
  const rest = /^(?:command|cmd|run|shell)\b\s*[:=]?\s*(.+)$/i.exec(text)?.[1];
  if (rest === undefined) return null;
  const quoted = /^`([^`]+)`/.exec(rest)?.[1];
  const command =
    quoted ?? rest.replace(/\s+(?:exits|returns|succeeds|passes)(?:\s+(?:with\s+)?(?:code\s+)?0)?\.?$/i, '');
  return { kind: 'command', command: unquote(command) };
}

const textForms = [
  /^(?:text|string|content|contains)?\s*[:=]?\s*["'“`«](?<text>.+)["'”`»]\s*(?:is |appears )?in\s+(?:the )?(?:file )?(?<path>.+)$/i,
  /^(?:file\s*[:=]?\s*)?(?<path>.+?)\s+(?:contains|includes)\s+(?:the )?(?:text )?["'“`«](?<text>.+)["'”`»]\.?$/i,
  /^text\s*[:=]?\s*(?<text>.+)\s+in\s+(?<path>\S+)$/i,
];

function textCheck(written: string): StepCheck | null {
  for (const form of textForms) {
    const { text, path } = form.exec(written)?.groups ?? {};
    const place = path === undefined ? null : pathOf(path);
    if (text !== undefined && place !== null) return { kind: 'text_present', path: place, text };
  }
  return null;
}

function fileCheck(text: string): StepCheck | null {
  const named = /^(?:the )?(?:file|path)\b\s*(?:exists\b)?\s*[:=]?\s*(.+)$/i.exec(text)?.[1];
  // Without the word before it, only what can be nothing else.
  const bare = /^\S+[./]\w\S*(?:\s+exists\.?)?$/.test(text) ? text : undefined;
  const path = pathOf((named ?? bare ?? '').replace(/\s+(?:is there|exists)\.?$/i, ''));
  return path === null ? null : { kind: 'file_exists', path };
}

/** null = no path that a host could look at; whether it lies in the workspace is for the host to judge. */
function pathOf(written: string): string | null {
  const path = unquote(written.trim());
  return path === '' || /^[[{(]|[*?"<>|\p{Cc}]/u.test(path) ? null : path;
}

function unquote(text: string): string {
  return (/^(["'`“«])(.*)["'`”»]$/.exec(text.trim())?.[2] ?? text).trim();
}
