/** Search of sessions: the thread that answers, and the index that is kept up to date while no turn runs. */
import { join } from 'node:path';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createSearchClient, type SearchClient } from './search-client.ts';
import type { SearchUpkeep } from './search-index.ts';
import { databaseFile } from './store.ts';

export interface SessionSearch extends SearchClient {
  /** So many turns run now. */
  turns(running: number): void;
}

export interface SessionSearchDeps {
  store: Pick<SearchUpkeep, 'tendSearch'>;
  dataDir: string;
  /** The module of the thread; the one of the source unless given. */
  worker: URL | undefined;
  clock: Clock;
  log: Log;
}

/** After the last turn and after the start; then between two steps. */
const [idleMs, pauseMs] = [1_000, 50];

export function openSearch({ store, dataDir, worker, clock, log }: SessionSearchDeps): SessionSearch {
  const client = createSearchClient({
    path: join(dataDir, databaseFile),
    worker: worker ?? new URL('search-worker.ts', import.meta.url),
    clock,
    log,
  });
  let timer: Timer | null = null;
  const stepIn = (ms: number): void => void (timer = clock.after(ms, step));
  const step = (): void => {
    try {
      if (store.tendSearch()) stepIn(pauseMs);
    } catch (error) {
      log.error('The index of what was said cannot be brought up to date', error);
    }
  };
  stepIn(idleMs);
  return {
    search: client.search,
    turns(running) {
      timer?.cancel();
      if (running === 0) stepIn(idleMs);
    },
    close() {
      timer?.cancel();
      return client.close();
    },
  };
}
