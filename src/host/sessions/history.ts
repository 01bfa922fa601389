/** Makes a history that any model accepts out of one that may be damaged or cut off (X12 a). Pure. */
import type { OwnedMessage, StoredMessage } from '../store/context.ts';

type Assistant = Extract<StoredMessage, { role: 'assistant' }>;
type Result = Extract<StoredMessage, { role: 'tool' }>;

/** Stand where something is missing. */
const lost = {
  result: '(the result of this call was not kept)',
  answer: '(the answer was not kept)',
  message: '(the message before this was not kept)',
};

export interface RepairedHistory {
  messages: OwnedMessage[];
  /** What was mended, each in words for the person; empty = it was whole. */
  repairs: string[];
}

/**
 * Afterwards: a user message first, then by turns; right behind each call its one result, in order; no call id twice; an
 * answer at the end. Nothing that was said is left out, but results of nobody are.
 */
export function repairHistory(history: readonly OwnedMessage[]): RepairedHistory {
  const messages: OwnedMessage[] = [];
  const counts = { results: 0, strays: 0, answers: 0, questions: 0, ids: 0 };
  const ids = freeIds();
  const add = (message: StoredMessage, turnId: string | null): void =>
    void messages.push({ message, turnId });
  const lastRole = (): StoredMessage['role'] => messages.at(-1)?.message.role ?? 'assistant';
  const answer = (turnId: string | null): void => {
    if (lastRole() === 'assistant') return;
    add({ role: 'assistant', content: lost.answer, thinking: '', calls: [] }, turnId);
    counts.answers += 1;
  };

  for (let at = 0; at < history.length; at += 1) {
    const { message, turnId } = history[at] ?? { message: null, turnId: null };
    if (message?.role === 'user') {
      answer(messages.at(-1)?.turnId ?? null);
      add(message, turnId);
    } else if (message?.role === 'tool') {
      counts.strays += 1;
    } else if (message) {
      if (lastRole() === 'assistant') {
        add({ role: 'user', content: lost.message }, turnId);
        counts.questions += 1;
      }
      const results = resultsAfter(history, at);
      at += results.length;
      const paired = pair(message, results, ids);
      add(paired.message, turnId);
      for (const result of paired.results) add(result, turnId);
      counts.results += paired.missing;
      counts.strays += paired.strays;
      counts.ids += paired.renamed;
    }
  }
  answer(messages.at(-1)?.turnId ?? null);
  return { messages, repairs: inWords(counts) };
}

function resultsAfter(history: readonly OwnedMessage[], at: number): Result[] {
  const results: Result[] = [];
  for (let next = at + 1; next < history.length; next += 1) {
    const message = history[next]?.message;
    if (message?.role !== 'tool') break;
    results.push(message);
  }
  return results;
}

interface Paired {
  message: Assistant;
  results: Result[];
  missing: number;
  strays: number;
  renamed: number;
}

/** One result for each call, in their order. An id that was there before gets a new one, in call and result. */
function pair(message: Assistant, results: readonly Result[], free: (id: string) => string): Paired {
  // The first of each call is the last here.
  const left = Map.groupBy(results.toReversed(), ({ callId }) => callId);
  const paired: Paired = { message, results: [], missing: 0, strays: 0, renamed: 0 };
  const calls = message.calls.map((call) => {
    const id = free(call.id);
    if (id !== call.id) paired.renamed += 1;
    const result = left.get(call.id)?.pop();
    if (!result) paired.missing += 1;
    paired.results.push({
      ...(result ?? { role: 'tool', tool: call.name, content: lost.result }),
      callId: id,
    });
    return { ...call, id };
  });
  const strays = results.length - calls.length + paired.missing;
  return { ...paired, message: { ...message, calls }, strays };
}

/** Each id that it gives is used from then on. A file from elsewhere may have one id a million times. */
function freeIds(): (id: string) => string {
  const used = new Set<string>();
  const newest = new Map<string, number>();
  return (id) => {
    const stem = id === '' ? 'call' : id;
    let free = stem;
    for (let n = newest.get(stem) ?? 2; used.has(free); n += 1) {
      free = `${stem}_${String(n)}`;
      newest.set(stem, n);
    }
    used.add(free);
    return free;
  };
}

function inWords(counts: Record<'results' | 'strays' | 'answers' | 'questions' | 'ids', number>): string[] {
  const lines: [count: number, text: string][] = [
    [counts.results, 'calls without a result were given one that says so'],
    [counts.strays, 'results that belong to no call were left out'],
    [counts.answers, 'messages without an answer were given one that says so'],
    [counts.questions, 'answers without a message were given one that says so'],
    [counts.ids, 'call ids that were empty or there twice were changed'],
  ];
  return lines.flatMap(([count, text]) => (count === 0 ? [] : [`${String(count)} × ${text}`]));
}
