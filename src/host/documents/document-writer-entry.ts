/** Where documents are written: it gets a title and Markdown, which a model wrote, and answers with the bytes of the file. */
import { answerContained } from '../../platform/contained-entry.ts';
import type { DocumentOrder, WrittenAnswer } from './write-document.ts';

async function written({ format, ...document }: DocumentOrder): Promise<string | Uint8Array | null> {
  switch (format) {
    case 'html':
      return (await import('./writers/write-html.ts')).htmlOf(document);
    case 'docx':
      return (await import('./writers/write-word.ts')).wordOf(document);
    case 'csv':
      return (await import('./writers/write-csv.ts')).csvOf(document.content);
  }
}

await answerContained(async function* (input): AsyncIterable<WrittenAnswer> {
  const content = await written(JSON.parse(Buffer.from(input).toString()) as DocumentOrder);
  if (content === null) yield { kind: 'unfit' };
  else if (typeof content === 'string') yield { kind: 'text', text: content };
  else yield { kind: 'bytes', base64: Buffer.from(content).toString('base64') };
});
