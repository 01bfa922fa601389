/** The answering half of a connection: parses once, where parameters enter the process, and answers every request once. */
import { z } from 'zod';
import { AndironError, toWireError } from './errors.ts';
import { frameTooLarge, nestedTooDeep, refuseFrame, type ServerFrame } from './frames.ts';
import { isLargerThan } from './frame-size.ts';
import { maxFrameBytes, maxNesting } from './limits.ts';
import { isNestedDeeper } from './nesting.ts';
import { reaches, type Level, type Principal } from './principal.ts';
import type { Transport } from './transport.ts';

type MethodMap = Record<string, { params: z.ZodType; result: z.ZodType }>;

export interface CallContext {
  /** Fires when the caller cancels or the connection closes. */
  signal: AbortSignal;
  connection: Connection;
  /** Whoever asks. */
  principal: Principal;
}

/** `own`: what the parameters name has to belong to whoever asks; the owner of the machine may name anybody's. */
export interface MethodAccess {
  needs: Level;
  on: 'own' | 'any';
}

/** A mapped type over the method map: a missing handler does not compile. */
export type Handlers<M extends MethodMap> = {
  [K in keyof M]: (
    params: z.output<M[K]['params']>,
    context: CallContext,
  ) => Promise<z.input<M[K]['result']>> | z.input<M[K]['result']>;
};

/** One connected client, as handlers see it. */
export interface Connection {
  publish(topic: string, seq: number, event: unknown): void;
  onClose(listener: () => void): void;
}

const clientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id: z.number().int(), method: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('cancel'), id: z.number().int() }),
]);

export interface ServeOptions<M extends MethodMap> {
  transport: Transport;
  methods: M;
  handlers: Handlers<M>;
  epoch: string;
  principal: Principal;
  accessOf: (method: keyof M) => MethodAccess;
  /** Whether all that the parameters name is theirs. Asked only about others than the owner of the machine. */
  owns: (principal: Principal, params: unknown) => boolean;
  /** Told of every handler failure that is not meant for a person, and of frames that make no sense. */
  onInternalError: (error: unknown, what: string) => void;
  /** Called before every response, refusals included: what a request did is kept before it is acknowledged. */
  settle?: () => void;
  /** When the work on a request begins, in the order of the requests; without it, at once. */
  begin?: (work: () => void) => void;
}

const notAllowed = (): AndironError =>
  new AndironError(
    'not_allowed',
    'This is not open to you here.',
    'Ask whoever runs this Andiron to allow it.',
  );

/** Serves one connection until it closes. */
export function serve<M extends MethodMap>(options: ServeOptions<M>): Connection {
  const { transport, methods, handlers, epoch, principal, onInternalError, settle } = options;
  const { begin = (work) => work() } = options;
  const running = new Map<number, AbortController>();
  const send = (frame: ServerFrame): void => transport.send(frame);
  const connection: Connection = {
    publish: (topic, seq, event) => send({ type: 'event', topic, seq, event }),
    onClose: (listener) => transport.onClose(listener),
  };

  const answer = async (id: number, name: string, rawParams: unknown, signal: AbortSignal): Promise<void> => {
    try {
      if (!Object.hasOwn(methods, name))
        throw new AndironError('unknown_method', `There is no method ${name}.`);
      const { needs, on } = options.accessOf(name);
      // Nobody learns which methods there are beside theirs.
      if (!reaches(principal.level, needs)) throw notAllowed();
      const method: M[keyof M] = methods[name as keyof M];
      const parsed = method.params.safeParse(rawParams);
      if (!parsed.success) {
        throw new AndironError('invalid_params', `${name}: ${z.prettifyError(parsed.error)}`);
      }
      if (on === 'own' && principal.level !== 'owner' && !options.owns(principal, parsed.data))
        throw new AndironError('not_found', 'This does not exist any more.', 'Look at the list again.');
      const result = await handlers[name as keyof M](parsed.data as never, {
        signal,
        connection,
        principal,
      });
      settle?.();
      send({ type: 'response', id, ok: true, result });
    } catch (error) {
      if (!(error instanceof AndironError)) onInternalError(error, name);
      settle?.();
      send({ type: 'response', id, ok: false, error: toWireError(error) });
    } finally {
      running.delete(id);
    }
  };

  transport.onFrame((raw) => {
    // Before anything looks inside: what checks, stores or passes it on goes down into it step by step.
    const fault = isNestedDeeper(raw, maxNesting)
      ? nestedTooDeep
      : isLargerThan(raw, maxFrameBytes)
        ? frameTooLarge
        : null;
    if (fault !== null) {
      const refusal = refuseFrame(raw, fault);
      if (refusal) send(refusal);
      return;
    }
    const frame = clientFrameSchema.safeParse(raw);
    if (!frame.success) {
      onInternalError(frame.error, 'frame');
      return;
    }
    const { data } = frame;
    if (data.type === 'cancel') return running.get(data.id)?.abort();
    // From here on it can be cancelled, also before its turn.
    const controller = new AbortController();
    running.set(data.id, controller);
    begin(() => void answer(data.id, data.method, data.params, controller.signal));
  });
  transport.onClose(() => {
    for (const controller of running.values()) controller.abort();
  });
  send({ type: 'hello', epoch });
  return connection;
}
