/** Makes one text of what the reader of a document answered, with a line of its own before each part. */
import { parseJson } from '../../protocol/json.ts';
import type { ReaderEnd } from '../../platform/contained-reader.ts';
import type { DocumentFormat } from '../../rules/document-kind.ts';
import type { DocumentText } from '../tools/document-access.ts';
import type { ToolFailure } from '../tools/tool.ts';
import { documentAnswer, type DocumentAnswer } from './document-answers.ts';
import { aboutWords, endFailure, limitWords, problemFailure } from './document-words.ts';

export type Gathered =
  | { text: DocumentText | null }
  /** `isSettled`: the same file fails in the same way. */
  | { failure: ToolFailure; isSettled: boolean };

export function createGathering(shown: string) {
  const lines: string[] = [];
  const marks: { label: string; line: number }[] = [];
  let format: DocumentFormat | null = null;
  let total: number | null = null;
  let hasText = false;
  let last: Extract<DocumentAnswer, { kind: 'problem' | 'end' }> | null = null;

  const addPart = ({ label, text }: Extract<DocumentAnswer, { kind: 'part' }>): void => {
    if (label !== '') {
      lines.push(`[${label}]`);
      marks.push({ label: label.split(/[:,]/, 1)[0] ?? label, line: lines.length });
    }
    if (text === '') return;
    hasText ||= text.trim() !== '';
    // Not spread: a document has more lines than a call takes arguments.
    for (const line of text.split('\n')) lines.push(line);
  };

  const textUpTo = (limit: string | null, kind: DocumentFormat): DocumentText => ({
    about: aboutWords(kind, total ?? marks.length),
    lines,
    marks,
    limit,
  });

  return {
    add(json: string): void {
      const answer = documentAnswer.safeParse(parseJson(json)).data;
      if (!answer || last) return;
      switch (answer.kind) {
        case 'begun':
          format = answer.format;
          break;
        case 'total':
          total = answer.parts;
          break;
        case 'part':
          addPart(answer);
          break;
        case 'end':
        case 'problem':
          last = answer;
      }
    },
    /** Once its reader has ended. */
    result(end: ReaderEnd): Gathered {
      if (last?.kind === 'problem') {
        if (last.problem === 'none') return { text: null };
        return { failure: problemFailure(shown, last.problem), isSettled: true };
      }
      if (last && format) return { text: textUpTo(limitOf(last.limit, format), format) };
      const early = end === 'done' ? 'broke' : end;
      const newest = marks.at(-1);
      // What was read whole before it ended is of use where it is known which part comes last.
      if (!newest || !format || !hasText) return { failure: endFailure(shown, early), isSettled: false };
      return { text: textUpTo(limitWords.ended(early, newest.label), format) };
    },
  };
}

function limitOf(limit: 'parts' | 'text' | null, format: DocumentFormat): string | null {
  if (limit === null) return null;
  return limit === 'parts' ? limitWords.parts(format) : limitWords.text;
}
