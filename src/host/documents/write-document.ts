/** Documents are made outside of this process, as they are read: Markdown can be written so that it takes minutes. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  createContainedReader,
  type ContainedReaderDeps,
  type ReaderLimits,
} from '../../platform/contained-reader.ts';
import { parseJson } from '../../protocol/json.ts';
import type { DocumentAccess, UnwrittenDocument, WrittenFormat } from '../tools/document-access.ts';
import { ToolFailure } from '../tools/tool.ts';
import { createKeptTexts } from './kept-texts.ts';

export interface DocumentOrder extends UnwrittenDocument {
  format: Exclude<WrittenFormat, 'md'>;
}

const writtenAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('bytes'), base64: z.string() }),
  /** There is nothing in it that this format could hold. */
  z.object({ kind: z.literal('unfit') }),
]);
export type WrittenAnswer = z.infer<typeof writtenAnswer>;

const limits: ReaderLimits = {
  ms: 15_000,
  heapMegabytes: 256,
  memoryBytes: 512 * 1024 ** 2,
  outputLimit: 40_000_000,
};

export function createDocumentWriter(deps: ContainedReaderDeps, module: URL): DocumentAccess['write'] {
  const run = createContainedReader(deps, module, limits);
  /** It is made to be shown before a person is asked, and once more to be written. */
  const kept = createKeptTexts<string | Uint8Array>((content) => content.length);
  return async (format, document, signal) => {
    const order: DocumentOrder = { format, ...document };
    const input = Buffer.from(JSON.stringify(order));
    const state = createHash('sha256').update(input).digest('hex');
    const known = kept.find(format, state);
    if (known !== undefined) return known;
    let answer: WrittenAnswer | undefined;
    const onAnswer = (json: string): void => void (answer = writtenAnswer.safeParse(parseJson(json)).data);
    await run(input, onAnswer, signal);
    const content = contentOf(answer);
    kept.keep(format, state, content);
    return content;
  };
}

function contentOf(answer: WrittenAnswer | undefined): string | Uint8Array {
  switch (answer?.kind) {
    case 'text':
      return answer.text;
    case 'bytes':
      return Buffer.from(answer.base64, 'base64');
    case 'unfit':
      throw new ToolFailure('There is no table in the content, and it is not CSV either.', {
        advice: 'Write a Markdown table, or rows with commas between their cells.',
      });
    case undefined:
      throw new ToolFailure('This content takes too long to be made into a document.', {
        advice: 'Write it in simpler Markdown, or in parts.',
      });
  }
}
