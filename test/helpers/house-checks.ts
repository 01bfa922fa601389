/** What must hold of a house at rest, whatever its engine did. Returns what is wrong, in words; empty = nothing. */
import type { SessionView, World } from './host-world.ts';
import { endedTurnProblems, eventProblems, requestProblems, storedProblems } from './session-checks.ts';

export function houseProblems(world: World, session: SessionView): string[] {
  const { truth } = world.sim;
  const { lease, waiting, loading } = world.engine.state();
  const chats = truth.requests.filter((request) => request.endpoint === '/api/chat');
  const [first] = session.events;
  return [
    ...endedTurnProblems(session.state),
    ...eventProblems(session.events, first?.seq ?? 1),
    ...storedProblems(world.dir, true),
    ...chats.flatMap((request) => requestProblems(request)),
    ...truth.violations.map(({ text }) => text),
    ...truth.failures.map((failure) => `the simulator itself: ${failure}`),
    ...(lease === null ? [] : [`a lease is still held: ${lease.label}`]),
    ...(waiting === 0 ? [] : [`${String(waiting)} wait for the GPU`]),
    ...(loading === null ? [] : [`${loading.model} is still being loaded`]),
  ];
}
