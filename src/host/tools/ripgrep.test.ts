import { expect, test } from 'vitest';
import type { Processes } from '../../platform/processes.ts';
import { runRipgrep } from './ripgrep.ts';

test('Without a search program a search says that it is not available, and starts nothing (desk-F13)', async () => {
  const processes = {
    environment: {},
    run: () => Promise.reject(new Error('nothing may be started')),
  } as unknown as Processes;
  const searching = runRipgrep(
    { processes, ripgrepPath: null },
    { workspace: '/w', signal: new AbortController().signal },
    [],
    '.',
    () => undefined,
  );
  await expect(searching).rejects.toThrow(/Searching is not available.*\n.*list_files/);
});
