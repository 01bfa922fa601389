import type { RequestFrame, ServerFrame } from '../../protocol/frames.ts';
import { createTransportPair } from '../../protocol/transport.ts';
import type { Connect } from '../connection/transports.ts';

/** Answers by method; what is missing here stays open. */
export type Answers = Partial<Record<string, (params: never) => unknown>>;

/** An engine that answers questions from a table and does nothing. */
export function answeringEngine(answers: Answers): Connect {
  return () => {
    const [client, server] = createTransportPair();
    const send = (frame: ServerFrame): void => server.send(frame);
    server.onFrame((raw) => {
      const { id, method, params } = raw as RequestFrame;
      const answer = answers[method];
      if (answer) send({ type: 'response', id, ok: true, result: answer(params as never) });
    });
    send({ type: 'hello', epoch: 'gallery' });
    return Promise.resolve(client);
  };
}
