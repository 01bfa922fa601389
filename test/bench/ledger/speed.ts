/** What a prediction costs, against comparing the same text once. */
import { createLedger, type LedgerRequest } from '../../../src/host/prompt/ledger/ledger.ts';
import type { ContextMessage } from '../../../src/host/providers/provider.ts';
import { Chance } from '../prefix/chance.ts';
import { makeHead } from './conversation.ts';

/** 50,000 tokens. */
const characters = 200_000;

/** One round takes the median of so many, so that it is the work which is measured and not the machine's other work. */
const repeats = 7;

/** p95 over rounds in which the log grows by a step, prediction ÷ comparison. */
export function ledgerOverScan(rounds: number): number {
  const chance = new Chance(7);
  const ledger = createLedger({
    factsOf: () => ({
      memory: { kind: 'full' },
      batch: 512,
      context: 131_072,
      card: undefined,
      native: false,
      besideTokens: null,
    }),
  });
  const head = makeHead(chance);
  const log: ContextMessage[] = [{ role: 'user', content: chance.paragraph(100) }];
  while (textOf(log).length < characters) log.push(...step(chance, log.length));
  const history = { echoThinking: true, textBesideCall: true };
  const request = (): LedgerRequest => ({
    // The newest two were never seen before.
    messages: log.map((message, at) => (at >= log.length - 2 ? { ...message } : message)),
    session: 's',
    model: 'm',
    purpose: 'main',
    head,
    history,
    think: undefined,
    day: '',
  });
  const [predictions, scans]: [number[], number[]] = [[], []];
  let before = textOf(log);
  for (let round = 0; round < rounds + 3; round += 1) {
    const requests = Array.from({ length: repeats }, request);
    predictions.push(medianOf(requests, (each) => ledger.predict(each)));
    const text = textOf(log);
    scans.push(medianOf(requests, () => commonLength(before, text)));
    before = text;
    ledger.sent('r', request());
    const counters = { promptTokens: 50_000 + round * 300, cachedTokens: null, outputTokens: 40 };
    ledger.answered('r', { counters: { ...counters, promptMs: null, outputMs: null, loadMs: null } });
    log.push(...step(chance, log.length));
  }
  // The first rounds meet code that is not compiled yet, on both sides.
  return p95(predictions.slice(3)) / p95(scans.slice(3));
}

function step(chance: Chance, number: number): ContextMessage[] {
  const [id, path] = [`tool_${number}`, chance.word()];
  return [
    {
      role: 'assistant',
      content: '',
      thinking: chance.paragraph(40),
      calls: [{ id, name: 'read_file', args: { path } }],
    },
    { role: 'tool', callId: id, tool: 'read_file', content: chance.paragraph(220) },
  ];
}

function medianOf<T>(all: readonly T[], work: (one: T) => unknown): number {
  const times = all.map((one) => {
    const at = performance.now();
    work(one);
    return performance.now() - at;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function textOf(messages: readonly ContextMessage[]): string {
  return messages.map((message) => JSON.stringify(message)).join('');
}

function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN;
}
