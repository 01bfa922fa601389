/** Who is connected: the windows and the host, and whether anybody looks. */
import type { Log } from '../platform/log.ts';
import { engineMethods, type EngineMethods } from '../protocol/engine-methods.ts';
import { ownerAt } from '../protocol/principal.ts';
import { serve, type Connection, type Handlers } from '../protocol/rpc-server.ts';
import type { Transport } from '../protocol/transport.ts';
import type { Facts } from './base/engine-facts.ts';
import type { StateStore } from './base/state.ts';

export interface Clients {
  /** A window is visible. */
  isWatched: () => boolean;
  isConnected: () => boolean;
  handlers: Pick<Handlers<EngineMethods>, 'engine/subscribe' | 'engine/watch'>;
  serve(transport: Transport, handlers: Handlers<EngineMethods>): void;
}

/** @param epoch of this process, as every client hears it. */
export function createClients(state: StateStore, facts: Facts, epoch: string, log: Log): Clients {
  const connections = new Set<Connection>();
  const watching = new Set<Connection>();

  return {
    isWatched: () => watching.size > 0,
    isConnected: () => connections.size > 0,
    handlers: {
      'engine/subscribe': (_, { connection }) => ({ epoch, ...state.subscribe(connection) }),
      'engine/watch'({ visible }, { connection }) {
        const wasWatched = watching.size > 0;
        if (visible) watching.add(connection);
        else watching.delete(connection);
        if (!wasWatched && watching.size > 0) facts.publish({ type: 'window/shown' });
        return {};
      },
    },
    serve(transport, handlers) {
      const connection = serve({
        transport,
        methods: engineMethods,
        handlers,
        epoch,
        // Windows and the agent host: nobody else is connected to it.
        principal: ownerAt('desktop'),
        accessOf: () => ({ needs: 'owner', on: 'any' }),
        owns: () => false,
        onInternalError: (error, what) => log.error(`the engine could not answer ${what}`, error),
      });
      connections.add(connection);
      connection.onClose(() => {
        connections.delete(connection);
        watching.delete(connection);
        state.unsubscribe(connection);
        facts.publish({ type: 'client/left', connection });
      });
    },
  };
}
