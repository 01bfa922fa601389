import { useCallback, useMemo, useState } from 'react';
import { currentTarget, type Target } from '../../stores/derive.ts';
import { useEngine, useHost, useSession, useUi } from '../../stores/stores.ts';
import { firstRunState, staysOpen, type FirstRunState } from './first-run.ts';

/** What the next message would run with; null until the host has said. */
export function useTarget(): Target | null {
  const sessions = useHost((host) => host.sessions);
  const profiles = useHost((host) => host.profiles);
  const defaults = useHost((host) => host.defaults);
  const openSessionId = useUi((ui) => ui.openSessionId);
  const newSession = useUi((ui) => ui.newSession);
  const open = useSession((session) => session.state?.session);
  return useMemo(
    () => defaults && currentTarget({ sessions, profiles, defaults }, { openSessionId, newSession }, open),
    [sessions, profiles, defaults, openSessionId, newSession, open],
  );
}

export function useFirstRunState(): FirstRunState {
  const engine = useEngine((state) => state.engine);
  const target = useTarget();
  return useMemo(() => firstRunState(engine, target), [engine, target]);
}

export interface FirstRun {
  state: FirstRunState;
  /** True while <Onboarding> should stand where the transcript of an empty session would. */
  open: boolean;
  /** The person has seen "ready" and goes on. */
  finish: () => void;
}

export function useFirstRun(): FirstRun {
  const state = useFirstRunState();
  const [wasOpen, setOpen] = useState(false);
  const open = staysOpen(wasOpen, state);
  if (open !== wasOpen) setOpen(open);
  const finish = useCallback(() => setOpen(false), []);
  return { state, open, finish };
}
