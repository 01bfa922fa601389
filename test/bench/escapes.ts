/**
 * Whether a command can leave its folder.
 *
 *   npm run bench:escapes -- [--only TEXT] [--backend bwrap|srt]
 *
 * On Linux. Each way out (escapes/escapes.ts) is tried in the sandbox that Andiron's commands run in, and once without any: a way that
 * leads out nowhere says nothing. `--backend srt`: the sandbox runtime, which on Linux is the second one.
 *
 * - tried, escaped: ways, and those that did what they wanted in the sandbox; survivors: processes that went on after it;
 * - control_escaped: those that did it without a sandbox;
 * - overhead_ms: how much longer a command takes that does nothing, medians; overhead: the ratio of the two.
 *
 * Exits with 1 when something escaped or survived, when fewer than 80 were tried or fewer than 60 escape without a
 * sandbox, and when there is no sandbox.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { openSandbox } from '../../src/platform/sandbox/open-sandbox.ts';
import { median, round } from './engine/figures.ts';
import { escapes } from './escapes/escapes.ts';
import { EscapeGround } from './escapes/run-escape.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, backend: { type: 'string', default: 'bwrap' } },
});
const { backend } = values;
if (backend !== 'bwrap' && backend !== 'srt') throw new Error(`There is no sandbox called ${backend}.`);
const wanted = escapes.filter(({ kind, name }) => `${kind} ${name}`.includes(values.only));

// The clock of a host keeps no process alive.
const alive = setInterval(() => undefined, 1_000);
const dataDir = mkdtempSync(join(tmpdir(), 'andiron-escapes-data-'));
const { platform } = process;
const sandbox = await openSandbox({
  platform,
  processes: systemProcesses,
  files: systemFiles,
  dataDir,
  homeDir: homedir(),
  backend,
});
rmSync(dataDir, { recursive: true });
console.log(`sandbox: ${JSON.stringify(sandbox.status)}`);
if (sandbox.status.kind === 'none') process.exit(1);

const ground = await EscapeGround.prepare(sandbox);
const count = { escaped: 0, survivors: 0, control: 0 };
try {
  for (const escape of wanted) {
    const kept = await ground.try(escape, true);
    const free = await ground.try(escape, false);
    if (kept.escaped) count.escaped += 1;
    if (free.escaped) count.control += 1;
    count.survivors += kept.survivors;
    const result = kept.escaped ? 'ESCAPED' : kept.survivors > 0 ? 'SURVIVED' : 'kept';
    console.log(
      `${result.padEnd(8)} ${free.escaped ? '' : '(not without either) '}${escape.kind}: ${escape.name}`,
    );
  }
  const times = { kept: [] as number[], free: [] as number[] };
  for (let round = 0; round < 20; round += 1) {
    times.kept.push(await ground.time(true));
    times.free.push(await ground.time(false));
  }
  const [kept, free] = [median(times.kept), median(times.free)];
  const figures = {
    tried: wanted.length,
    escaped: count.escaped,
    survivors: count.survivors,
    control_escaped: count.control,
    overhead_ms: round(kept - free, 1),
    overhead: round(kept / free, 2),
  };
  console.log(JSON.stringify({ bench: 'escapes', sandbox: sandbox.status, figures }));
  const isAll = values.only === '';
  const isWell = count.escaped === 0 && count.survivors === 0;
  process.exitCode = isWell && (!isAll || (wanted.length >= 80 && count.control >= 60)) ? 0 : 1;
} finally {
  clearInterval(alive);
  await ground.close();
}
