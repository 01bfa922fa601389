import { expect, test } from 'vitest';
import { openingExamples } from '../loop/opening/examples.ts';
import { createReadingRates } from '../models/reading-rates.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { priceVersion } from './price-version.ts';

const user = (content: string): ContextMessage => ({ role: 'user', content });
const log: readonly ContextMessage[] = [
  user('one'),
  { role: 'assistant', content: '1', thinking: '', calls: [] },
  user('two'),
];
const session = {
  id: 's1',
  log: { owned: () => log.map((message, at) => ({ message, turnId: at < 2 ? 'first' : 'second' })) },
};

/** The messages whose price is asked for, where the newest request had those. */
function pricedMessages(
  sent: readonly ContextMessage[],
  turnId: string,
  text?: string,
): readonly ContextMessage[] | null {
  let priced: readonly ContextMessage[] | null = null;
  priceVersion(session, turnId, text, {
    rates: createReadingRates(),
    trackers: {
      predictWith(_session, change) {
        priced = change(sent);
        return null;
      },
    },
  });
  return priced;
}

test('a price is that of the prompt up to the message, and of no more (audit-U9)', () => {
  expect(pricedMessages(log, 'second')).toEqual(log);
  expect(pricedMessages(log, 'first')).toEqual([user('one')]);
  expect(pricedMessages(log, 'second', 'three')).toEqual([...log.slice(0, 2), user('three')]);
});

test('worked examples in front of a conversation stay in front of it (audit-U9)', () => {
  const sent = [...openingExamples, ...log];
  expect(pricedMessages(sent, 'first')).toEqual([...openingExamples, user('one')]);
  expect(pricedMessages(sent, 'second', 'three')).toEqual([
    ...openingExamples,
    ...log.slice(0, 2),
    user('three'),
  ]);
});

test('of a message that the newest request did not have there is no price (audit-U9)', () => {
  expect(pricedMessages(log.slice(0, 2), 'second')).toBeNull();
  expect(pricedMessages(log, 'gone')).toBeNull();
});
