import { expect, it } from 'vitest';
import type { Connection } from '../../protocol/rpc-server.ts';
import { createTopic } from './topic.ts';

function connected() {
  const listeners: (() => void)[] = [];
  const heard: number[] = [];
  const connection: Connection = {
    publish: (_topic, seq) => void heard.push(seq),
    onClose: (listener) => void listeners.push(listener),
  };
  return { connection, heard, listeners, close: () => listeners.splice(0).forEach((tell) => tell()) };
}

it('a window that comes and goes a hundred times is listened to once', () => {
  const window = connected();
  const topic = createTopic('host');
  for (let times = 0; times < 100; times += 1) {
    topic.follow(window.connection);
    topic.leave(window.connection);
  }
  expect(window.listeners).toHaveLength(1);
  topic.publish(() => null);
  topic.follow(window.connection);
  topic.publish(() => null);
  window.close();
  topic.publish(() => null);
  expect(window.heard).toEqual([2]);
});

it('that nobody follows any more is told once, by whichever way the last one left', () => {
  let told = 0;
  const topic = createTopic('host', () => (told += 1));
  const [first, second] = [connected(), connected()];
  topic.follow(first.connection);
  topic.follow(second.connection);
  topic.leave(first.connection);
  topic.leave(first.connection);
  first.close();
  expect(told).toBe(0);
  second.close();
  expect(told).toBe(1);
});
