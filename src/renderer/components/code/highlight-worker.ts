/** Where code is coloured: a thread of its own, so that no grammar ever holds up the window. */
import { createColourist, type ColourReply, type ColourRequest } from './colourist.ts';

/** What of a worker's global scope is used; the page's types stand in the way of its own. */
interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<ColourRequest>) => void): void;
  postMessage(message: ColourReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;
const colour = createColourist();

scope.addEventListener('message', ({ data }) => {
  void colour(data).then((reply) => scope.postMessage(reply, reply.tones ? [reply.tones.buffer] : []));
});
