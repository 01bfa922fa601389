/** What comments and documents lead to: a file that is there, or nothing. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../node.mjs';
import { parse, read } from './source-files.ts';

/** Electron's own documents, which keep their paths, and names such as `src/a.ts` in an example. */
const isElsewhere = (found: string): boolean => /^docs\/(?:api|tutorial)\/|\/[a-z]\.\w+$/.test(found);

/** Documents that are not in the repository. */
const foreign = /\b(?:design|contract) \d[\d.]*|\b(?:ollama-contract|design|audit)\.md|\.\.\/shared\b/g;
const path =
  /(?<![\w/])(?:src|test|docs|scripts|resources|tools)\/[\w./-]*\w\.(?:tsx?|mjs|cjs|md|json|css|yml)\b/g;

/** One line for each reference that leads nowhere, in the comments of sources and in the texts of documents. */
export function danglingReferences({
  sources,
  documents,
}: Record<'sources' | 'documents', string[]>): string[] {
  const texts: [file: string, text: string][] = [
    ...sources.map((file): [string, string] => [
      file,
      parse(file)
        .comments.map(({ value }) => value)
        .join('\n'),
    ]),
    ...documents.map((file): [string, string] => [file, read(file)]),
  ];
  return texts.flatMap(([file, text]) =>
    [
      ...[...text.matchAll(foreign)].map(([found]) => found),
      ...[...text.matchAll(path)]
        .map(([found]) => found)
        .filter((found) => !isElsewhere(found) && !existsSync(resolve(root, found))),
    ].map((found) => `${file}: ${found}`),
  );
}
