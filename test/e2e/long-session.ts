/** A session as it would be after much use, written straight into a data folder that no server has open. */
import { openStore } from '../../src/host/store/store.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Item, Turn } from '../../src/protocol/model.ts';

export const longTitle = 'A long session';
const began = Date.UTC(2026, 9, 1);
const itemsOfTurn = 3;

export const question = (turn: number): string => `What does part ${String(turn)} of the lamp do?`;

/** Of the last answer: longer than what is drawn at a time. */
export const lastCode = Array.from(
  { length: 90 },
  (_, line) => `const wick${String(line)} = ${String(line)};`,
);

export function fillLongSession(dataDir: string, turns: number): void {
  const store = openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}long` });
  try {
    store.transaction(() => {
      store.createSession({
        summary: {
          id: 'long',
          title: longTitle,
          workspace: dataDir,
          profileId: 'developer',
          model: null,
          pinned: false,
          status: 'idle',
          createdAt: began,
          updatedAt: began,
        },
        workspaceReal: dataDir,
        contextUsage: null,
      });
      for (let turn = 0; turn < turns; turn += 1) {
        store.saveTurn('long', turnOf(turn));
        for (const item of itemsOf(turn, turn === turns - 1)) store.saveItem('long', item);
      }
    });
  } finally {
    store.close();
  }
}

const turnOf = (turn: number): Turn => ({
  id: `turn${String(turn)}`,
  status: 'finished',
  text: question(turn),
  profileId: 'developer',
  model: 'qwen3.5:9b',
  phase: null,
  phaseSince: null,
  queuedAt: began,
  startedAt: began,
  endedAt: began + 4_000,
  closed: true,
  iterations: 1,
  usage: [],
});

function itemsOf(turn: number, isLast: boolean): Item[] {
  const base = (offset: number) => ({
    id: `item${String(turn * itemsOfTurn + offset)}`,
    turnId: `turn${String(turn)}`,
    index: turn * itemsOfTurn + offset,
    startedAt: began,
    completedAt: began + 1_000,
    cut: false,
  });
  const path = `src/part${String(turn)}.ts`;
  return [
    { ...base(0), kind: 'user', text: question(turn) },
    {
      ...base(1),
      kind: 'tool',
      callId: `call${String(turn)}`,
      tool: 'read_file',
      args: { path },
      subject: path,
      repairs: [],
      state: 'done',
      output: '',
      result: `export const part = ${String(turn)};`,
      display: null,
      sandboxed: null,
      approval: null,
      decision: null,
      runMs: 3,
    },
    // Of many lengths, so that what was guessed of a height is wrong.
    {
      ...base(2),
      kind: 'text',
      text: isLast
        ? ['Part of the lamp:', `\`\`\`ts\n${lastCode.join('\n')}\n\`\`\``].join('\n\n')
        : `Part ${String(turn)}.\n\n${'It holds the wick. '.repeat((turn * 7) % 60)}`,
    },
  ];
}
