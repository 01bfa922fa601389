/** Where pages are read: it gets one page, and answers with what it has read of it so far. */
import { answerContained } from '../../platform/contained-entry.ts';
import type { UnreadPage } from './page-reader.ts';
import { readPageText, type PageText } from './page-text.ts';

/** Of a text, in characters: the model reads far less, and a person may look at the rest. */
const maxLength = 400_000;

const cut = ({ title, text }: PageText): PageText => ({ title, text: text.slice(0, maxLength) });

await answerContained(function* (input) {
  const { html, url } = JSON.parse(Buffer.from(input).toString()) as UnreadPage;
  for (const read of readPageText(html, url)) yield cut(read);
});
