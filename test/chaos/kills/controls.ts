/**
 * Positive controls: the same kills on builds with one mistake each. A check that does not notice its mistake proves
 * nothing when it is silent about the real build.
 */
import { table } from '../../helpers/table.ts';
import type { Part, PartOptions } from '../report.ts';
import type { Flaw } from './built.ts';
import { runKills } from './campaign.ts';
import type { Failure } from './tally.ts';

interface Control extends Flaw {
  mistake: string;
  /** What must count it. */
  failure: Failure;
}

export const controls: readonly Control[] = [
  {
    mistake: 'what was told is stored a moment later',
    failure: 'lost_acknowledged',
    file: 'host/store/transcript.ts',
    from: 'sql.upsertItem.run(sessionId, item.index, item.id, item.turnId, isOpen, JSON.stringify(item));',
    to: 'setTimeout(() => sql.upsertItem.run(sessionId, item.index, item.id, item.turnId, isOpen, JSON.stringify(item)), 30);',
  },
  {
    mistake: 'an unfinished turn is put back into the queue',
    failure: 'duplicated_effects',
    file: 'host/store/recover.ts',
    from: "status: 'interrupted'",
    to: "status: 'queued', waitsFor: 'model'",
  },
  {
    mistake: 'a call is stored without a place for its result',
    failure: 'invalid_histories',
    file: 'host/store/context.ts',
    from: "      sql.insert.run(sessionId, 'tool', callId, 1, JSON.stringify(placeholder), turnId);\n",
    to: "      setTimeout(() => sql.insert.run(sessionId, 'tool', callId, 1, JSON.stringify(placeholder), turnId), 20);\n",
  },
  {
    mistake: 'nobody ends what a dead host left running',
    failure: 'orphans',
    file: 'platform/command-groups.ts',
    from: '{ group: endGroupNow, marked: endMarkedNow }',
    to: '{ group: () => undefined, marked: () => undefined }',
  },
  {
    mistake: 'a tool starts while its question is still open',
    failure: 'unasked_effects',
    file: 'host/loop/tool-calls.ts',
    from: 'const decision = await tools.authorize(request, out.emit, signal);',
    to: "void tools.authorize(request, out.emit, signal).catch(() => undefined); const decision: string = 'allow';",
  },
  {
    mistake: 'a tool starts before the journal knows of it',
    failure: 'unrecorded_effects',
    file: 'host/loop/tool-calls.ts',
    from: '  journal.started({ ...call, name: item.tool });\n',
    to: '  setTimeout(() => journal.started({ ...call, name: item.tool }), 60);\n',
  },
  {
    mistake: 'the database does not wait for the disk, and nobody looks',
    failure: 'not_full',
    file: 'host/store/sqlite.ts',
    from: "pragma('synchronous = FULL');",
    to: "pragma('synchronous = NORMAL'); return;",
  },
];

/** A mistake that shows only at some moments, and behind a server alone, needs many kills. */
const mostKills = 800;

export async function controlsPart({ seed }: PartOptions): Promise<Part> {
  const rows: (string | number)[][] = [['mistake', 'must be counted as', 'counted', 'kills']];
  const problems: string[] = [];
  for (const { mistake, failure, ...flaw } of controls) {
    const { tally } = await runKills({
      seed,
      kills: mostKills,
      flaw,
      enough: ({ counts }) => (counts.get(failure) ?? 0) > 0,
    });
    const counted = tally.counts.get(failure) ?? 0;
    rows.push([mistake, failure, counted, tally.kills]);
    if (counted === 0) problems.push(`${mistake}: nobody noticed in ${String(tally.kills)} kills`);
  }
  const figures = { controls: controls.length, silent_controls: problems.length };
  const gates = [{ figure: 'silent_controls', value: problems.length, most: 0 }];
  return { table: table(rows), figures, gates, problems };
}
