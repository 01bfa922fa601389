import { expect, test } from 'vitest';
import { createPipeEnd, type Pipe, type PipeEnd } from '../platform/pipe.ts';
import type { HostStatus } from '../platform/supervision.ts';
import type { WindowPipe } from './socket-pipe.ts';
import { createWindowDesk } from './windows.ts';

function setUp(first: HostStatus) {
  let status = first;
  let revivals = 0;
  const opened: PipeEnd[] = [];
  const openPipe = (): Pipe => {
    const end = createPipeEnd({ send: () => undefined, close: () => undefined });
    opened.push(end);
    return end.pipe;
  };
  const desk = createWindowDesk({
    host: () => (status.state === 'ready' ? { open: openPipe } : undefined),
    status: () => status,
    revive: () => void revivals++,
  });
  const become = (next: HostStatus): void => {
    status = next;
  };
  return { desk, opened, become, revivals: () => revivals };
}

function aWindow() {
  const sent: unknown[] = [];
  const refusals: string[] = [];
  const end = createPipeEnd({ send: (frame) => sent.push(frame), close: () => undefined });
  const pipe: WindowPipe = {
    ...end.pipe,
    refuse(reason) {
      refusals.push(reason);
      end.lost();
    },
  };
  return { pipe, end, sent, refusals };
}

const lost: HostStatus = { state: 'lost', message: 'It ended 4 times.', advice: '' };

test('a window that comes while the host starts is joined when it is ready', () => {
  const it = setUp({ state: 'starting' });
  const window = aWindow();
  it.desk.admit(window.pipe);
  expect(it.opened).toHaveLength(0);
  it.become({ state: 'ready' });
  it.desk.hostReady();
  it.opened[0]?.receive('hello');
  expect(window.sent).toEqual(['hello']);
});

test('a window that left while it waited is not joined', () => {
  const it = setUp({ state: 'starting' });
  const window = aWindow();
  it.desk.admit(window.pipe);
  window.end.lost();
  it.become({ state: 'ready' });
  it.desk.hostReady();
  expect(it.opened).toHaveLength(0);
});

test('while the host is lost windows are refused with the reason, and each is a reason to try it again', () => {
  const it = setUp(lost);
  const window = aWindow();
  it.desk.admit(window.pipe);
  expect([window.refusals, it.revivals()]).toEqual([['It ended 4 times.'], 1]);
});

test('windows that wait for a host that is then lost are refused', () => {
  const it = setUp({ state: 'starting' });
  const window = aWindow();
  it.desk.admit(window.pipe);
  it.become(lost);
  it.desk.hostLost('It ended 4 times.');
  expect(window.refusals).toEqual(['It ended 4 times.']);
});

test('while Andiron closes windows are refused', () => {
  const it = setUp({ state: 'stopping' });
  const window = aWindow();
  it.desk.admit(window.pipe);
  expect(window.refusals).toEqual(['Andiron is closing.']);
});
