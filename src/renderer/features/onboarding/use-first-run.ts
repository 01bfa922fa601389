import { useEffect, useMemo } from 'react';
import { useEngine, useHost, useStores, useUi } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { firstRunState, nowShown, type FirstRunState } from './first-run.ts';

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
}

/** What is remembered follows what is shown: a reload comes back to the same place. */
export function useFirstRun(): FirstRun {
  const state = useFirstRunState();
  const { ui } = useStores();
  const before = useUi((current) => current.firstRun.shown);
  const shown = nowShown(before, state);
  useEffect(() => {
    if (shown !== before) ui.setState(({ firstRun }) => ({ firstRun: { ...firstRun, shown } }));
  }, [ui, before, shown]);
  return { state, open: shown === 'open' };
}
