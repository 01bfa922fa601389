/** Where the tour plays: the transcript of every session, in a small window of its own that is connected to nothing. */
import { useLayoutEffect, useState } from 'react';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { SessionState } from '../../protocol/reducer.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import { CommandsContext, createCommands } from '../commands/commands.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
import { Transcript } from '../features/transcript/transcript.tsx';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { createStores, StoresContext } from '../stores/stores.ts';

const still: ConnectionClock = { after: () => () => undefined, random: () => 0 };
const nobody = (): Promise<never> => Promise.reject(new Error('The tour is connected to nothing.'));

export function TourStage({ state }: { state: SessionState }) {
  const [{ stores, commands }] = useState(unconnected);
  useLayoutEffect(() => {
    const { id } = state.session;
    if (stores.ui.getState().openSessionId !== id) {
      stores.ui.setState({ openSessionId: id });
      stores.session.setState({ sessionId: id });
    }
    applySessionSnapshot(stores.session, state);
  }, [stores, state]);
  return (
    <StoresContext value={stores}>
      <CommandsContext value={commands}>
        <Transcript />
      </CommandsContext>
    </StoresContext>
  );
}

function unconnected() {
  const stores = createStores({ read: () => null, write: () => undefined });
  const services = {
    host: new Connection<HostMethods>(nobody, still),
    engine: new Connection<WindowEngineMethods>(nobody, still),
    stores,
    desktop: null,
    signOut: null,
    files: {
      save: () => Promise.resolve('handed-over' as const),
      pick: () => Promise.resolve(null),
      choose: () => Promise.resolve([]),
    },
    now: Date.now,
  };
  return { stores, commands: createCommands(services, false) };
}
