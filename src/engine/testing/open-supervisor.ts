/** A supervisor on a fake machine, what it says of Ollama, and its news. */
import type { EngineStatus } from '../../protocol/model.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { Supervisor, type OwnHost } from '../supervision/supervisor.ts';
import { fakeDeps, type Fakes } from './fakes.ts';

export function openSupervisor(changes: Partial<Fakes> = {}, own: OwnHost | null = null) {
  const deps = fakeDeps(changes);
  const world = { list: [] as string[], quiet: true };
  const state = createStateStore(initialState);
  const news: string[] = [];
  const facts = createFacts(deps.log);
  facts.on('engine/appeared', ({ url }) => news.push(`running ${url}`));
  facts.on('engine/gone', () => news.push('gone'));
  const supervisor = new Supervisor(deps, state, {
    list: () => world.list,
    own,
    isIdle: () => world.quiet,
    facts,
  });
  const status = (): EngineStatus => state.current().status;
  const standings = (): string[] => state.current().hosts.map(({ url, standing }) => `${url} ${standing}`);
  return { deps, supervisor, status, news, world, standings };
}
