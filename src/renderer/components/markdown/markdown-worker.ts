/** Where long Markdown is parsed: a thread that the page ends when it takes too long. */
import { lexMarkdown, type LexReply, type LexTask } from './lex.ts';

/** What of a worker's global scope is used; the page's types stand in the way of its own. */
interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<LexTask>) => void): void;
  postMessage(message: LexReply): void;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener('message', ({ data: { id, request } }) => {
  scope.postMessage({ id, lexed: lexMarkdown(request) });
});
scope.postMessage('ready');
