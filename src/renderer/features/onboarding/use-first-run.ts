import { useCallback, useMemo, useState } from 'react';
import { useEngine, useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { firstRunState, staysOpen, type FirstRunState } from './first-run.ts';

export function useFirstRunState(): FirstRunState {
  const engine = useEngine((state) => state.engine);
  const target = useTarget();
  const known = useHost((host) => host.defaults !== null);
  return useMemo(() => firstRunState(engine, known ? target : null), [engine, target, known]);
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
