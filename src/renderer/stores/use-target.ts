import { useMemo } from 'react';
import { currentTarget, type Target } from './derive.ts';
import { useHost, useSession, useUi } from './stores.ts';

/** What the next message of the open session, or of the one about to be made, would run with. */
export function useTarget(): Target {
  const sessions = useHost((host) => host.sessions);
  const profiles = useHost((host) => host.profiles);
  const defaults = useHost((host) => host.defaults);
  const hosts = useHost((host) => host.hosts);
  const openSessionId = useUi((ui) => ui.openSessionId);
  const newSession = useUi((ui) => ui.newSession);
  const open = useSession((session) => session.state?.session);
  return useMemo(
    () => currentTarget({ sessions, profiles, defaults, hosts }, { openSessionId, newSession }, open),
    [sessions, profiles, defaults, hosts, openSessionId, newSession, open],
  );
}
