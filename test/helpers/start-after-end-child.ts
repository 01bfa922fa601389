/** A process that asks for a start after its end and then waits to be ended: `start-after-end-child.ts PROGRAM ARGS…`. */
import { withoutAppDir } from '../../src/platform/app-dir.ts';
import { startAfterEnd } from '../../src/main/updates/start-after-end.ts';

const [program = '', ...args] = process.argv.slice(2);
startAfterEnd({ pid: process.pid, program, args, env: withoutAppDir(process.env) });
process.stdout.write('asked\n');
process.stdin.resume();
