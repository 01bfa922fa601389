import { count, plural, seconds } from './figures.ts';

/** How often a turn did what. */
interface WorkDone {
  looked: number;
  folders: number;
  searches: number;
  sources: number;
  changed: number;
  commands: number;
  agents: number;
  uses: number;
  others: number;
  declined: number;
  thoughts: number;
  steps: number;
  stepsDone: number;
}

/** "Plan, 4 of 6 done. Looked at 3 files, changed 1, ran 1 command"; kinds and counts, never the names of tools. */
function workDone(done: WorkDone): string {
  const looked = [
    done.folders > 0 && plural(done.folders, 'folder', 'folders'),
    done.looked > 0 && plural(done.looked, 'file', 'files'),
  ].filter(Boolean);
  const parts = [
    looked.length > 0 && `looked at ${looked.join(' and ')}`,
    done.searches > 0 && (done.searches === 1 ? 'searched once' : `searched ${count(done.searches)} times`),
    done.sources > 0 && `found ${plural(done.sources, 'source', 'sources')}`,
    done.changed > 0 && `changed ${plural(done.changed, 'file', 'files')}`,
    done.commands > 0 && `ran ${plural(done.commands, 'command', 'commands')}`,
    done.agents > 0 && `asked ${plural(done.agents, 'subagent', 'subagents')}`,
    done.uses > 0 &&
      (done.uses === 1 ? 'used another program once' : `used other programs ${count(done.uses)} times`),
    done.others > 0 && `made ${plural(done.others, 'other call', 'other calls')}`,
    done.declined > 0 && `${plural(done.declined, 'call was', 'calls were')} declined`,
  ].filter(Boolean);
  const did = parts.length === 0 && done.thoughts > 0 ? 'thought about it' : parts.join(', ');
  const plan = done.steps > 0 ? `Plan, ${String(done.stepsDone)} of ${String(done.steps)} done` : '';
  const sentence = `${did.charAt(0).toUpperCase()}${did.slice(1)}`;
  return [plan, sentence].filter(Boolean).join('. ');
}

/** What stands around an answer: its work, its foot, and where its time went. */
export const turnWords = {
  /** The line that stands for what was done before the answer. */
  work: {
    done: workDone,
    /** Where nothing of it has a kind. */
    some: 'Worked on it',
    failed: (calls: number): string => `${count(calls)} failed`,
  },
  /** The quiet line under an answer. */
  foot: {
    receipt: 'Where the time went',
    asked: (ms: number): string => `${seconds(ms)} waiting for you`,
    steps: (steps: number): string => plural(steps, 'step', 'steps'),
    files: (files: number): string => `${plural(files, 'file', 'files')} changed`,
    undone: (files: number): string => `${plural(files, 'file', 'files')} changed, undone`,
    more: 'More about this turn',
    engine: 'Engine room',
  },
  receipt: {
    title: 'Where the time went',
    loading: 'Loading',
    reading: 'Reading',
    writing: 'Writing',
    tools: 'Tools',
    tokens: (tokens: number): string => plural(tokens, 'token', 'tokens'),
    calls: (calls: number): string => plural(calls, 'call', 'calls'),
    unknownTime: 'unknown',
    label: (cached: number, fresh: number, reread: number): string =>
      `${count(cached)} tokens cached, ${count(fresh)} new, ${count(reread)} re-read`,
    cached: 'cached',
    fresh: 'new',
    reread: 're-read',
    unknown: 'This server does not report cached tokens.',
    saved: (ms: number): string => `The cache saved about ${seconds(ms)} of reading.`,
    engine: 'Open the engine room',
    agents: (
      requests: number,
      { fresh, reread, written }: { fresh: number | null; reread: number; written: number | null },
    ): string =>
      [
        `Subagents: ${plural(requests, 'request', 'requests')}`,
        fresh !== null && `${count(fresh)} new`,
        reread > 0 && `${count(reread)} re-read`,
        written !== null && `${count(written)} written`,
      ]
        .filter(Boolean)
        .join(', '),
  },
} as const;
