/** The line that begins a step, at the end of the newest result. */
import { escapeNotes } from '../../prompt/notes.ts';
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import type { ScopeStep } from '../opening/turn-acts.ts';
import { namesFileAlone, saysOnlyFile } from './replaced-file.ts';

/** More of a message than this would only be read twice. */
const maxMessageLength = 600;

/**
 * What is to be done now; before the answer it is what was asked: a small model repeats a long result else, and copies
 * whatever else stands there. Null = the result speaks for itself.
 * @param justRead the file that the newest call read, before the only step that changes.
 */
export function stepLine({ act, what }: ScopeStep, message: PersonMessage, justRead?: string): string | null {
  const words = escapeNotes(readMessage(message).trim());
  const said = words === '' || words.length > maxMessageLength ? null : words;
  if (act === 'answer') return said;
  if (what === '') return null;
  // Right below what the file holds a small model writes that down, unless it reads what is to come in its place.
  const isBare = namesFileAlone(what) || (justRead !== undefined && saysOnlyFile(what, justRead));
  if (act === 'change' && said !== null && isBare) return said;
  const [, change = '', file = ''] = changeInFile.exec(act === 'change' ? what : '') ?? [];
  return escapeNotes(file === '' ? `Next: ${what}` : `Next, in ${file}: ${change}`);
}

/** As the worked examples of openings say it. At the end of a line a small model takes the file for a part of the new text. */
const changeInFile = /^(.+) in (\S+\.\w+)$/su;

/** What has become of the turn, then what was asked for. `fact`: '' = nothing is to be said of it. */
export function factBefore(message: PersonMessage, fact: string): string {
  const line = stepLine({ act: 'answer', what: '' }, message);
  return [fact, line ?? ''].filter((each) => each !== '').join('\n\n');
}
