/** A prompt of a server as text that a person looks at before they send it. */
import type { GetPromptResult } from '@modelcontextprotocol/client';
import { visibleText } from '../../rules/visible-text/visible-text.ts';

/** Characters; a longer one nobody reads before they send it. */
const maxText = 100_000;

type PromptMessage = GetPromptResult['messages'][number];

export interface PromptText {
  text: string;
  /** Pictures, sounds and other bytes in it. */
  leftOut: number;
}

/** What would be hidden from the person is drawn: they answer for what they send. */
export function promptText({ messages }: GetPromptResult): PromptText {
  const read = messages.map(({ role, content }) => ({ role, ...wordsOf(content) }));
  const said = read
    .filter(({ words }) => words.trim() !== '')
    .map(({ role, words }) => (role === 'assistant' ? `(Said by the assistant:)\n${words}` : words));
  const text = visibleText(said.join('\n\n')).trim();
  return {
    text: text.length > maxText ? `${text.slice(0, maxText)}\n... [truncated]` : text,
    leftOut: read.filter(({ isLeftOut }) => isLeftOut).length,
  };
}

function wordsOf(content: PromptMessage['content']): { words: string; isLeftOut: boolean } {
  switch (content.type) {
    case 'text':
      return { words: content.text, isLeftOut: false };
    case 'resource_link':
      return { words: `[${content.title ?? content.name}: ${content.uri}]`, isLeftOut: false };
    case 'resource':
      return 'text' in content.resource
        ? { words: `[${content.resource.uri}]\n${content.resource.text}`, isLeftOut: false }
        : leftOut(content.resource.uri);
    case 'image':
      return leftOut('a picture');
    case 'audio':
      return leftOut('a sound');
  }
}

const leftOut = (what: string) => ({ words: `[${what}: left out]`, isLeftOut: true });
