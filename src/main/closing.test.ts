import { expect, test } from 'vitest';
import { createClosing } from './closing.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(runningTurns: number, agrees = true) {
  const happened: string[] = [];
  const closing = createClosing({
    runningTurns: () => runningTurns,
    ask: () => Promise.resolve(happened.push('ask') > 0 && agrees),
    onKeptOpen: () => void happened.push('kept open'),
    shutdown: () => Promise.resolve(void happened.push('shutdown')),
    quit: () => void happened.push('quit'),
  });
  let prevented = 0;
  const event = { preventDefault: () => void prevented++ };
  return { closing, happened, event, prevented: () => prevented };
}

test('with nothing running it shuts down without a question, then quits', async () => {
  const it = setUp(0);
  it.closing.beforeQuit(it.event);
  await settled();
  expect([it.happened, it.prevented()]).toEqual([['shutdown', 'quit'], 1]);
  it.closing.beforeQuit(it.event);
  expect(it.prevented()).toBe(1);
});

test('while a turn runs it asks first', async () => {
  const it = setUp(1);
  it.closing.beforeQuit(it.event);
  await settled();
  expect(it.happened).toEqual(['ask', 'shutdown', 'quit']);
});

test('a no keeps the app open, and it may be asked again', async () => {
  const it = setUp(1, false);
  it.closing.beforeQuit(it.event);
  await settled();
  it.closing.beforeQuit(it.event);
  await settled();
  expect([it.happened, it.prevented()]).toEqual([['ask', 'kept open', 'ask', 'kept open'], 2]);
});

test('quitting twice shuts down once', async () => {
  const it = setUp(0);
  it.closing.beforeQuit(it.event);
  it.closing.beforeQuit(it.event);
  await settled();
  expect(it.happened).toEqual(['shutdown', 'quit']);
});

test('the last window stays until the app has ended', async () => {
  const it = setUp(0);
  it.closing.lastWindowCloses(it.event);
  expect([it.happened, it.prevented()]).toEqual([['quit'], 1]);
  it.closing.beforeQuit(it.event);
  await settled();
  it.closing.lastWindowCloses(it.event);
  expect(it.prevented()).toBe(2);
});

test.each([true, false])(
  'The end of the system answers an open question, whatever is answered later: %j (desk-F14)',
  async (answer) => {
    const happened: string[] = [];
    const asked = Promise.withResolvers<boolean>();
    const stopped = Promise.withResolvers<void>();
    const closing = createClosing({
      runningTurns: () => 1,
      ask: () => asked.promise,
      onKeptOpen: () => void happened.push('kept open'),
      async shutdown() {
        happened.push('shutdown');
        await stopped.promise;
      },
      quit: () => void happened.push('quit'),
    });
    let prevented = 0;
    const event = { preventDefault: () => void prevented++ };
    closing.beforeQuit(event);
    closing.systemEnds(event);
    asked.resolve(answer);
    await settled();
    closing.beforeQuit(event);
    closing.systemEnds(event);
    stopped.resolve();
    await settled();
    expect([happened, prevented]).toEqual([['shutdown', 'quit'], 4]);
    closing.systemEnds(event);
    expect(prevented).toBe(4);
  },
);
