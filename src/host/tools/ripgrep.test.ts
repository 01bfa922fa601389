import { expect, test } from 'vitest';
import type { Processes } from '../../platform/processes.ts';
import { runRipgrep } from './ripgrep.ts';
import type { ToolFailure } from './tool.ts';

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
  const { words } = await searching.then(
    () => expect.unreachable(),
    (failure: unknown) => failure as ToolFailure,
  );
  expect(words.content).toMatch(/^Searching is not available.*\nUse list_files and read_file instead\.$/);
});
