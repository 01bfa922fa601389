import { useEffect, useMemo } from 'react';
import { isEmptyOrSendingFirst, isEmptySession } from '../../stores/derive.ts';
import { useEngine, useHost, useSession, useStores, useUi } from '../../stores/stores.ts';
import { requestFocus } from '../../stores/ui-store.ts';
import { useTarget } from '../../stores/use-target.ts';
import { firstRunState, nowShown, type FirstRunState } from './first-run.ts';

/** null = sessions and profiles are not known yet. */
function useKnownTarget() {
  const target = useTarget();
  const known = useHost((host) => host.defaults !== null);
  return known ? target : null;
}

export function useFirstRunState(): FirstRunState {
  const engine = useEngine((state) => state.engine);
  const target = useKnownTarget();
  return useMemo(() => firstRunState(engine, target), [engine, target]);
}

/**
 * True while the page of the first start fills the window. What is remembered follows what is shown: a reload comes back
 * to the same place. It reads what the engine tells every second, and changes only with what stands in the way.
 */
export function useFirstRunOpen(): boolean {
  const target = useKnownTarget();
  const kind = useEngine(({ engine }) => firstRunState(engine, target).kind);
  // Before the host has told of sessions, nobody is taken for new.
  const isNew = useHost((host) => host.defaults !== null && host.sessions.length === 0);
  const empty = useSession(isEmptySession);
  const beginning = useSession(isEmptyOrSendingFirst);
  const { ui } = useStores();
  const before = useUi((current) => current.firstRun.shown);
  // A message that is sent before a model is ready waits on the page; with its turn the page has done its work.
  const begun = kind === 'ready' ? !empty : !beginning;
  const over = before === 'open' && kind === 'ready' && begun;
  const shown = over ? 'auto' : nowShown(before, kind, isNew);
  useEffect(() => {
    if (shown === before) return;
    ui.setState(({ firstRun }) => ({ firstRun: { ...firstRun, shown } }));
    // What had the keyboard is gone with the page.
    if (over) requestFocus(ui, 'composer');
  }, [ui, before, shown, over]);
  return shown === 'open' && !begun;
}
