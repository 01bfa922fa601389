import { expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { createPortMux } from './port-mux.ts';

/** Two halves joined by an ordered channel that delivers at once. */
function joined() {
  const opened: { name: string; pipe: Pipe }[] = [];
  const wire: unknown[] = [];
  const child = createPortMux(
    (message) => {
      wire.push(message);
      parent.receive(message);
    },
    (name, pipe) => opened.push({ name, pipe }),
  );
  const parent = createPortMux((message) => {
    wire.push(message);
    child.receive(message);
  });
  const open = (name: string): [Pipe, Pipe] => {
    const mine = parent.open(name);
    const theirs = opened.at(-1);
    if (!theirs) throw new Error('nothing was opened');
    return [mine, theirs.pipe];
  };
  return { parent, child, opened, wire, open };
}

function heard(pipe: Pipe): unknown[] {
  const frames: unknown[] = [];
  pipe.onFrame((frame) => frames.push(frame));
  return frames;
}

test('every connection has its own frames, both ways, and the other side learns its name', () => {
  const { open, opened } = joined();
  const [a, hostA] = open('window');
  const [b, hostB] = open('engine');
  const frames = [a, b, hostA, hostB].map(heard);
  a.send('from a');
  b.send('from b');
  hostA.send('to a');
  hostB.send('to b');
  expect(frames).toEqual([['to a'], ['to b'], ['from a'], ['from b']]);
  expect(opened.map(({ name }) => name)).toEqual(['window', 'engine']);
});

test('closing one end closes its other end and no other connection', () => {
  const { open } = joined();
  const [a, hostA] = open('window');
  const [b, hostB] = open('window');
  const closed: string[] = [];
  hostA.onClose(() => closed.push('host a'));
  hostB.onClose(() => closed.push('host b'));
  a.close();
  expect(closed).toEqual(['host a']);
  const frames = heard(hostB);
  b.send('still there');
  expect(frames).toEqual(['still there']);
});

test('a frame for a closed connection goes nowhere', () => {
  const { open, child } = joined();
  const [a, hostA] = open('window');
  const frames = heard(a);
  a.close();
  hostA.send('too late');
  expect(child.receive({ mux: 'frame', id: 99, frame: 'for nobody' })).toBe(true);
  expect(frames).toEqual([]);
});

test('when the channel is lost every connection closes, without a word on the wire', () => {
  const { parent, open, wire } = joined();
  const [a] = open('window');
  const [b] = open('window');
  const closed: string[] = [];
  a.onClose(() => closed.push('a'));
  b.onClose(() => closed.push('b'));
  const before = wire.length;
  parent.lost();
  expect(closed).toEqual(['a', 'b']);
  expect(wire.length).toBe(before);
});

test('messages that are not its own are left to others', () => {
  const { parent } = joined();
  expect([{ type: 'ping' }, 'mux', null, 7].map((message) => parent.receive(message))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
