/** The last thing that went wrong stays in the state until it works again. */
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { AndironError, toWireError } from '../protocol/errors.ts';
import type { Facts } from './base/engine-facts.ts';
import type { StateStore } from './base/state.ts';
import { starvedCode } from './memory/starvation.ts';

export function showProblems(state: StateStore, facts: Facts, clock: Clock, log: Log): void {
  const report = (failure: unknown): void => {
    if (!(failure instanceof AndironError)) log.error('the engine', failure);
    const { code, message, advice = '' } = toWireError(failure);
    state.update({ problem: { code, message, advice, at: clock.now() } });
  };
  const clear = (code: string): void => {
    if (state.current().problem?.code === code) state.update({ problem: null });
  };

  facts.on('engine/failed', ({ failure }) => report(failure));
  facts.on('engine/appeared', () => clear('engine_unavailable'));
  facts.on('load/ended', ({ failure }) => {
    if (failure === null) state.update({ problem: null });
    else report(failure);
  });
  facts.on('load/starved', ({ failure }) => {
    if (failure) report(failure);
    else clear(starvedCode);
  });
}
