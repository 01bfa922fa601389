import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { initialState } from '../../src/engine/base/state.ts';
import { createHost } from '../../src/host/index.ts';
import type { RequestFrame, ServerFrame } from '../../src/protocol/frames.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(fastFolder(), 'andiron-trusted-'));
  mkdirSync(join(dir, 'data'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function timesTrusted(address: string): Promise<number> {
  const hosts = { hosts: [{ id: 'other', kind: 'ollama', url: address }] };
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify(hosts));
  let times = 0;
  const host = await createHost({ ...hostParts(dir), trustSystem: () => void times++ });
  await host.close();
  return times;
}

it('reads the certificates of the system for a host that is reached over TLS (desk-F19)', async () => {
  expect(await timesTrusted('https://gpu.example')).toBe(1);
});

it('spends no start on certificates where every host is reached in the clear (desk-F19)', async () => {
  expect(await timesTrusted('http://127.0.0.1:8080')).toBe(0);
});

/** Of a host whose engine runs at these addresses, one after the other. */
async function timesTrustedFor(...addresses: string[]): Promise<number> {
  let times = 0;
  const host = await createHost({ ...hostParts(dir), trustSystem: () => void times++ });
  const [engine, hostEnd] = createTransportPair();
  engine.onFrame((raw) => {
    const { id } = raw as RequestFrame;
    const result = { seq: 0, epoch: 'e', state: initialState };
    const frames: ServerFrame[] = [{ type: 'response', id, ok: true, result }];
    for (const [index, url] of addresses.entries()) {
      const status = { kind: 'running', url, version: '0.40.2', simulated: false, exposed: null };
      const event = { type: 'engine/changed', changes: { status } };
      frames.push({ type: 'event', topic: 'engine', seq: index + 1, event });
    }
    for (const frame of frames) engine.send(frame);
  });
  host.connectEngine(hostEnd);
  // What is sent in memory has arrived before that.
  await new Promise((resolve) => setImmediate(resolve));
  await host.close();
  return times;
}

it('reads the certificates of the system once where the engine’s Ollama is reached over TLS', async () => {
  expect(await timesTrustedFor('https://gpu.example', 'https://gpu.example/ollama')).toBe(1);
});

it('reads no certificates where the engine’s Ollama is reached in the clear', async () => {
  expect(await timesTrustedFor('http://127.0.0.1:11434')).toBe(0);
});
