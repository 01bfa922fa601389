/** Whose a connection of a program is: the owner's, unless its first request says a token. */
import { z } from 'zod';
import { AndironError, toWireError } from '../../protocol/errors.ts';
import type { ServerFrame } from '../../protocol/frames.ts';
import { ownerAt, type Principal } from '../../protocol/principal.ts';
import { tokenMethods } from '../../protocol/token-methods.ts';
import type { Transport } from '../../protocol/transport.ts';
import type { Tokens } from './tokens.ts';

const method = 'host/sign-in';
const requestSchema = z.object({
  id: z.number().int(),
  method: z.literal(method),
  params: tokenMethods[method].params,
});

export interface SignInDeps {
  tokens: Pick<Tokens, 'principalOf' | 'opened'>;
  serve: (transport: Transport, principal: Principal) => void;
}

type Listener = (frame: unknown) => void;

/** To be given connections that are the owner's by right alone: whoever says no token is taken for them. */
export const admitProgram = (transport: Transport, deps: SignInDeps): void =>
  admit(transport, deps, (rest) => deps.serve(rest, ownerAt('cli')));

/** Whoever says no token is sent away. */
export const admitTokenHolder = (transport: Transport, deps: SignInDeps): void =>
  admit(transport, deps, (rest, frame) => signIn(frame, rest, deps));

function admit(
  transport: Transport,
  deps: SignInDeps,
  withoutToken: (rest: Transport, first: unknown) => void,
): void {
  /** Takes what comes once it is known whose the connection is. */
  const served: Listener[] = [];
  const rest: Transport = {
    send: (frame) => transport.send(frame),
    onFrame: (listener) => void served.push(listener),
    onClose: (listener) => transport.onClose(listener),
    close: () => transport.close(),
  };
  transport.onFrame((frame) => {
    const isFirst = served.length === 0;
    if (isFirst && isSignIn(frame)) {
      signIn(frame, rest, deps);
      return;
    }
    if (isFirst) withoutToken(rest, frame);
    served.at(-1)?.(frame);
  });
}

function signIn(frame: unknown, transport: Transport, { tokens, serve }: SignInDeps): void {
  const send = (answer: ServerFrame): void => transport.send(answer);
  const request = requestSchema.safeParse(frame);
  try {
    if (!request.success)
      throw new AndironError('invalid_params', 'This is no sign-in.', 'Send the text of a token.');
    const principal = tokens.principalOf(request.data.params.token);
    serve(transport, principal);
    tokens.opened(principal.tokenId, transport);
    send({ type: 'response', id: request.data.id, ok: true, result: {} });
  } catch (error) {
    // Whatever comes behind it is not looked at.
    transport.onFrame(() => undefined);
    send({ type: 'response', id: idOf(frame), ok: false, error: toWireError(error) });
    transport.close();
  }
}

/** Whatever says so, well formed or not, is never served as the owner. */
const isSignIn = (frame: unknown): boolean =>
  typeof frame === 'object' && frame !== null && 'method' in frame && frame.method === method;

const idOf = (frame: unknown): number => z.object({ id: z.number() }).safeParse(frame).data?.id ?? 0;
