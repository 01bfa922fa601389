import { expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import { closingLimits, createClosing, runEach, type ClosingDeps } from './closing.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(runningTurns: number, agrees = true) {
  const happened: string[] = [];
  const closing = createClosing({
    runningTurns: () => runningTurns,
    ask: () => Promise.resolve(happened.push('ask') > 0 && agrees),
    onKeptOpen: () => void happened.push('kept open'),
    shutdown: () => Promise.resolve(void happened.push('shutdown')),
    quit: () => void happened.push('quit'),
    onFailure: () => void happened.push('failure'),
    clock: systemClock,
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
      onFailure: () => void happened.push('failure'),
      clock: systemClock,
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

const logIsFull = new Error('The log is full.');

/** As in Electron: to quit asks `before-quit`, and nothing ends while that is prevented. */
function setUpApp(deps: Partial<ClosingDeps>) {
  const clock = skippableClock();
  const seen = {
    ended: false,
    questions: 0,
    shutdowns: 0,
    failures: [] as string[],
    signals: [] as AbortSignal[],
  };
  const answer = Promise.withResolvers<boolean>();
  const quit = (): void => {
    let prevented = false;
    closing.beforeQuit({ preventDefault: () => (prevented = true) });
    if (!prevented) seen.ended = true;
  };
  const closing = createClosing({
    runningTurns: () => 1,
    ask(signal) {
      seen.questions += 1;
      seen.signals.push(signal);
      return answer.promise;
    },
    shutdown: () => Promise.resolve(void (seen.shutdowns += 1)),
    onKeptOpen: () => undefined,
    quit,
    onFailure: (error) => void seen.failures.push(error instanceof Error ? error.message : String(error)),
    clock,
    ...deps,
  });
  return { closing, clock, seen, answer, quit };
}

test('A shutdown that fails is told, and the app ends all the same (desk-P21)', async () => {
  const { seen, quit } = setUpApp({ runningTurns: () => 0, shutdown: () => Promise.reject(logIsFull) });
  quit();
  await settled();
  expect(seen).toMatchObject({ ended: true, failures: ['The log is full.'] });
});

test('A shutdown that throws at once is told, and the app ends all the same (desk-P21)', async () => {
  const { seen, closing } = setUpApp({
    shutdown() {
      throw logIsFull;
    },
  });
  closing.systemEnds();
  await settled();
  expect(seen).toMatchObject({ ended: true, failures: ['The log is full.'] });
});

test('A shutdown that never ends is left after its limit, and not before (desk-P21)', async () => {
  const { seen, quit, clock } = setUpApp({
    runningTurns: () => 0,
    shutdown: () => new Promise(() => undefined),
  });
  quit();
  await settled();
  clock.skip(closingLimits.shutdownMs - 1_000);
  await settled();
  expect(seen.ended).toBe(false);
  clock.skip(1_000);
  await settled();
  expect(seen).toMatchObject({ ended: true, failures: ['The shutdown took too long.'] });
});

test('A question that cannot be asked is told, and keeps no app open (desk-P21)', async () => {
  const { seen, quit } = setUpApp({ ask: () => Promise.reject(new Error('There is no display.')) });
  quit();
  await settled();
  expect(seen).toMatchObject({ ended: true, shutdowns: 1, failures: ['There is no display.'] });
});

test('A signal with nothing running ends the app at once (desk-F14)', async () => {
  const { seen, closing } = setUpApp({ runningTurns: () => 0 });
  closing.signalled();
  await settled();
  expect(seen).toMatchObject({ ended: true, questions: 0, shutdowns: 1 });
});

test('After a signal the question is open for a while only, then the turn is stopped (desk-F14)', async () => {
  const { seen, closing, clock } = setUpApp({});
  closing.signalled();
  closing.signalled();
  clock.skip(closingLimits.signalAnswerMs - 1_000);
  await settled();
  expect(seen).toMatchObject({ ended: false, questions: 1, shutdowns: 0 });
  clock.skip(1_000);
  await settled();
  expect(seen).toMatchObject({ ended: true, questions: 1, shutdowns: 1, failures: [] });
  expect(seen.signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('A signal puts a limit to a question that is open already (desk-F14)', async () => {
  const { seen, closing, clock, quit } = setUpApp({});
  quit();
  clock.skip(closingLimits.signalAnswerMs * 10);
  await settled();
  expect(seen.ended).toBe(false);
  closing.signalled();
  clock.skip(closingLimits.signalAnswerMs);
  await settled();
  expect(seen).toMatchObject({ ended: true, questions: 1, shutdowns: 1 });
});

test('A person who answers a signal with no keeps the app, and is asked again by the next one (desk-F14)', async () => {
  let agrees = false;
  let questions = 0;
  const ask = (): Promise<boolean> => Promise.resolve(++questions > 0 && agrees);
  const { seen, closing, clock } = setUpApp({ ask });
  closing.signalled();
  await settled();
  clock.skip(closingLimits.signalAnswerMs * 10);
  await settled();
  expect([seen.ended, closing.isEnding()]).toEqual([false, false]);
  agrees = true;
  closing.signalled();
  await settled();
  expect([seen.ended, questions, closing.isEnding()]).toEqual([true, 2, true]);
});

test('After a no no signal before it ends the app, and the next one has its own limit (desk-F14)', async () => {
  const answers = [Promise.resolve(false), new Promise<boolean>(() => undefined)];
  const { seen, closing, clock } = setUpApp({ ask: () => answers.shift() ?? Promise.resolve(false) });
  closing.signalled();
  clock.skip(1_000);
  closing.signalled();
  await settled();
  clock.skip(closingLimits.signalAnswerMs * 10);
  await settled();
  expect(seen.ended).toBe(false);
  closing.signalled();
  clock.skip(closingLimits.signalAnswerMs);
  await settled();
  expect(seen.ended).toBe(true);
});

test('A step of the end that fails is told, and the steps after it are taken', async () => {
  const taken: string[] = [];
  const failures: unknown[] = [];
  const running = runEach(
    [
      () => void taken.push('one'),
      () => {
        throw new Error('two');
      },
      () => Promise.reject(new Error('three')),
      () => Promise.resolve(void taken.push('four')),
      () => void taken.push('five'),
    ],
    (error) => failures.push(error),
  );
  expect(taken).toEqual(['one']);
  await running;
  expect(taken).toEqual(['one', 'four', 'five']);
  expect(failures).toEqual([new Error('two'), new Error('three')]);
});
