/** The beginning of a run: the ports that it was given, with what it shows and when it was stopped. */
import { Output } from './output.ts';
import type { Ports, WaitingRun } from './ports.ts';
import { watchForStop } from './stop-watch.ts';

export function waitingRun(turnId: string, ports: Ports, signal: AbortSignal): WaitingRun {
  const { model, history, tools } = ports;
  const out = new Output(ports.out, turnId);
  return { model, history, tools, out, stop: watchForStop(signal, out.clock) };
}

/** What came of a reply so far. */
export interface Written {
  readonly text: string;
  readonly thinking: string;
}
