import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost } from '../../src/host/index.ts';
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
