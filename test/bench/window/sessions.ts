/** Sessions as they would be after much use, written straight into a data folder that no server has open. */
import { openStore, type Store } from '../../../src/host/store/store.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Item, Turn } from '../../../src/protocol/model.ts';

export const hundred = 'A hundred items';
export const hundredThousand = 'A hundred thousand items';
/** Of the last answer of every session. */
export const lastWords = 'These are the last words.';
/** Beside the two large ones. */
export const manySessions = 220;

const itemsOfMany = 24;
const began = Date.UTC(2026, 9, 1);

export function fillSessions(dataDir: string): void {
  const store = openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}bench` });
  try {
    for (let number = 0; number < manySessions; number += 1) {
      fill(store, `many${String(number)}`, `Session ${String(number)}`, itemsOfMany, dataDir, began + number);
    }
    fill(store, 'hundred', hundred, 100, dataDir, began + 1e9);
    fill(store, 'thousands', hundredThousand, 100_000, dataDir, began + 2e9);
  } finally {
    store.close();
  }
}

const itemsOfTurn = 4;

function fill(
  store: Store,
  id: string,
  title: string,
  items: number,
  workspace: string,
  updatedAt: number,
): void {
  const turns = items / itemsOfTurn;
  store.transaction(() => {
    store.createSession({
      summary: {
        id,
        title,
        workspace,
        profileId: 'developer',
        model: null,
        pinned: false,
        status: 'idle',
        createdAt: began,
        updatedAt,
      },
      workspaceReal: workspace,
      contextUsage: null,
    });
    for (let number = 0; number < turns; number += 1) {
      const turn = turnOf(id, number);
      store.saveTurn(id, turn);
      for (const item of itemsOf(turn, number * itemsOfTurn, number === turns - 1)) store.saveItem(id, item);
    }
  });
}

function turnOf(sessionId: string, number: number): Turn {
  return {
    id: `${sessionId}_turn${String(number)}`,
    status: 'finished',
    text: question(number),
    profileId: 'developer',
    model: 'qwen2.5:7b',
    phase: null,
    phaseSince: null,
    queuedAt: began,
    startedAt: began,
    endedAt: began + 4_000,
    closed: true,
    iterations: 2,
    usage: [],
  };
}

const question = (number: number): string => `What does part ${String(number)} of the lamp do?`;

function itemsOf(turn: Turn, index: number, isLast: boolean): Item[] {
  const base = (offset: number) => ({
    id: `${turn.id}_item${String(offset)}`,
    turnId: turn.id,
    index: index + offset,
    startedAt: began,
    completedAt: began + 1_000,
    cut: false,
  });
  const file = Array.from({ length: 20 }, (_, line) => `const wick${String(line)} = trim(${String(index)});`);
  return [
    { ...base(0), kind: 'user', text: turn.text },
    { ...base(1), kind: 'thinking', text: 'It is in the file of the lamp, so that is what has to be read.' },
    {
      ...base(2),
      kind: 'tool',
      callId: `${turn.id}_call`,
      tool: 'read_file',
      args: { path: 'src/lamp.ts' },
      subject: 'src/lamp.ts',
      repairs: [],
      state: 'done',
      output: '',
      result: file.join('\n'),
      display: {
        kind: 'file',
        path: 'src/lamp.ts',
        text: file.join('\n'),
        firstLine: 1,
        lastLine: 20,
        totalLines: 20,
      },
      sandboxed: null,
      approval: null,
      decision: null,
      runMs: 3,
    },
    { ...base(3), kind: 'text', text: answerOf(index, isLast) },
  ];
}

function answerOf(index: number, isLast: boolean): string {
  const points = ['holds the wick', 'lets the air in', 'keeps the wind out'].map(
    (point) => `- **It ${point}.**`,
  );
  const code = `\`\`\`ts\nexport const part = ${String(index)};\n\`\`\``;
  return ['It does three things:', points.join('\n'), code, isLast ? lastWords : 'And that is all.'].join(
    '\n\n',
  );
}
