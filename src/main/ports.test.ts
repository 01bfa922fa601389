import type { MessagePortMain, WebContents } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import {
  asksForPorts,
  becomesReady,
  connections,
  handed,
  host,
  last,
  page,
  useDesktop,
} from '../../test/helpers/desktop-app.ts';
import {
  electron,
  FakeWebContents,
  type MessagePortMain as FakePort,
} from '../../test/helpers/electron-stub.ts';
import { createPortBroker } from './ports.ts';

const { start } = useDesktop();

let connected: FakePort[] = [];
beforeEach(() => {
  connected = [];
});
const connect = (port: MessagePortMain): void => void connected.push(port as unknown as FakePort);
const dies = (contents: FakeWebContents): boolean =>
  contents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });

function brokerFor(...contents: FakeWebContents[]) {
  const broker = createPortBroker();
  for (const each of contents) broker.request(each as WebContents & FakeWebContents);
  return {
    broker,
    request: (each: FakeWebContents) => broker.request(each as WebContents & FakeWebContents),
  };
}

test('A page whose process died costs no other page its port, and nothing throws (desk-F10)', () => {
  const [dead, alive] = [new FakeWebContents(), new FakeWebContents()];
  const { broker } = brokerFor(dead, alive);
  dies(dead);
  broker.offer('host', connect);
  expect([dead.posted.length, alive.posted.length, connected.length]).toEqual([0, 1, 1]);
});

test('No port is connected to the host for a page that is gone (desk-F10)', () => {
  const dead = new FakeWebContents();
  const { broker } = brokerFor(dead);
  dies(dead);
  broker.offer('host', connect);
  broker.offer('engine', connect);
  expect(connected).toEqual([]);
});

test('A page that died is given fresh ports when it has loaded again and asks (desk-F10)', () => {
  const contents = new FakeWebContents();
  const { broker, request } = brokerFor(contents);
  dies(contents);
  broker.offer('host', connect);
  contents.gone = false;
  broker.offer('host', connect);
  expect(connected).toEqual([]);
  request(contents);
  expect([contents.posted.length, connected.length, connected[0]?.neutered]).toEqual([1, 1, false]);
});

test('A page that crashes again and again is watched once (desk-F10)', () => {
  const contents = new FakeWebContents();
  const { broker, request } = brokerFor(contents);
  for (let crash = 0; crash < 5; crash++) {
    dies(contents);
    broker.offer('host', connect);
    contents.gone = false;
    request(contents);
  }
  expect(contents.listenerCount('destroyed')).toBe(1);
});

test('The engine and the list of sessions come although page and host died together (desk-F10)', () => {
  const engine = start();
  becomesReady();
  asksForPorts();
  dies(page().webContents);
  host().emit('exit', 137);
  becomesReady();
  expect(connections(host(), 'engine')).toHaveLength(1);
  expect(connections(host(), 'window')).toHaveLength(1);
  expect([engine.made, electron.faults]).toEqual([1, []]);
  page().webContents.gone = false;
  asksForPorts();
  expect(last(handed()['host'] ?? [])).toBeDefined();
});
