/** A sandbox that runs a script of its own in place of each command. What may write nothing, a search, runs as it is. */
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';

export const refusingSandbox = (script: string): Sandbox => ({
  status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
  hidden: [],
  keep: async (start, { writable }) =>
    writable.length === 0 ? start : { ...start, file: '/bin/sh', args: ['-c', script] },
});
