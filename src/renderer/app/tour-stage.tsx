/** Where the tour plays: the transcript of every session, in a small window of its own that is connected to nothing. */
import { useState } from 'react';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import { CommandsContext, createCommands } from '../commands/commands.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
import { Transcript } from '../features/transcript/transcript.tsx';
import type { OpenSessionStore } from '../stores/session-store.ts';
import { createOutbox } from '../stores/outbox.ts';
import { noStorage } from '../stores/storage.ts';
import { createStores, StoresContext } from '../stores/stores.ts';

const still: ConnectionClock = { after: () => () => undefined, random: () => 0 };
const nobody = (): Promise<never> => Promise.reject(new Error('The tour is connected to nothing.'));

export function TourStage({ session }: { session: OpenSessionStore }) {
  const [{ stores, commands }] = useState(() => unconnected(session));
  return (
    <StoresContext value={stores}>
      <CommandsContext value={commands}>
        <Transcript />
      </CommandsContext>
    </StoresContext>
  );
}

function unconnected(session: OpenSessionStore) {
  const stores = { ...createStores(noStorage), session };
  stores.ui.setState({ openSessionId: session.getState().sessionId });
  const services = {
    host: new Connection<HostMethods>(nobody, still),
    engine: new Connection<WindowEngineMethods>(nobody, still),
    stores,
    desktop: null,
    signOut: null,
    notifier: null,
    files: {
      save: () => Promise.resolve('handed-over' as const),
      pick: () => Promise.resolve(null),
      choose: () => Promise.resolve([]),
    },
    outbox: createOutbox(noStorage, ''),
    newTurnId: () => '',
    now: Date.now,
  };
  return { stores, commands: createCommands(services, false) };
}
