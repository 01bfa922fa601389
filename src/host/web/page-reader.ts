/** Pages are read outside of this process: what a page is made of may take any time and memory. */
import { z } from 'zod';
import {
  createContainedReader,
  type ContainedReaderDeps,
  type ReaderLimits,
} from '../../platform/contained-reader.ts';
import { parseJson } from '../../protocol/json.ts';
import { ToolFailure } from '../tools/tool.ts';
import type { PageText } from './page-text.ts';

export interface UnreadPage {
  html: string;
  url: string;
}

export interface PageReaderDeps extends ContainedReaderDeps {
  /** The built module; that of the source unless given. */
  module?: URL | undefined;
}

const limits: ReaderLimits = {
  ms: 10_000,
  heapMegabytes: 256,
  memoryBytes: 512 * 1024 ** 2,
  outputLimit: 4_000_000,
};

const pageText = z.object({ title: z.string(), text: z.string() });

/** Rejects with ToolFailure where nothing could be read, and with the signal's reason. */
export type ReadPage = (page: UnreadPage, signal: AbortSignal) => Promise<PageText>;

export function createPageReader(deps: PageReaderDeps): ReadPage {
  const { module = new URL('page-reader-entry.ts', import.meta.url) } = deps;
  const read = createContainedReader(deps, module, limits);
  return async (page, signal) => {
    let newest: PageText | undefined;
    const onAnswer = (json: string): void => {
      newest = pageText.safeParse(parseJson(json)).data ?? newest;
    };
    const end = await read(Buffer.from(JSON.stringify(page)), onAnswer, signal);
    if (newest !== undefined) return newest;
    const isPassing = end !== 'done' && end !== 'output';
    throw new ToolFailure('This page takes too much to be read.', {
      advice: 'Read another source.',
      isPassing,
    });
  };
}
