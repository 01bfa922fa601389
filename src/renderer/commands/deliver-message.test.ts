import { expect, test } from 'vitest';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { Transport } from '../../protocol/transport.ts';
import { Connection } from '../connection/connection.ts';
import { createOutbox } from '../stores/outbox.ts';
import { noStorage } from '../stores/storage.ts';
import { createStores } from '../stores/stores.ts';
import { settled } from '../testing/fake-server.ts';
import { createDelivery } from './deliver-message.ts';
import { createMessageBox } from './message-box.ts';

type Parts = Parameters<typeof createDelivery>;

/** A pipe whose listeners hear of its end one after the other, with time for whatever follows in between, as with a socket. */
class EndingPipe implements Transport {
  readonly sent: unknown[] = [];
  readonly #ends: (() => void)[] = [];
  #listener: (frame: unknown) => void = () => undefined;

  send(frame: unknown): void {
    this.sent.push(frame);
  }
  onFrame(listener: (frame: unknown) => void): void {
    this.#listener = listener;
    listener({ type: 'hello', protocol: 1, epoch: 'e1' });
  }
  onClose(listener: () => void): void {
    this.#ends.push(listener);
  }
  close(): void {
    this.#ends.length = 0;
  }
  answer(result: unknown): void {
    for (const { id } of this.sent as { id: number }[])
      this.#listener({ type: 'response', id, ok: true, result });
  }
  async end(): Promise<void> {
    for (const each of this.#ends) {
      each();
      for (let turn = 0; turn < 50; turn += 1) await settled();
    }
  }
}

test('A message whose connection is lost is sent again once, by the next connection', async () => {
  const pipes: EndingPipe[] = [];
  const retries: (() => void)[] = [];
  const connect = () => {
    pipes.push(new EndingPipe());
    return Promise.resolve(pipes.at(-1) ?? new EndingPipe());
  };
  const after = (_ms: number, retry: () => void) => {
    retries.push(retry);
    return () => undefined;
  };
  const host = new Connection<HostMethods>(connect, { after, random: () => 0 });
  host.start();
  await settled();
  let asked = 0;
  const now = () => {
    asked += 1;
    // Asked without a pause it would never end.
    if (asked > 20) throw new Error('It is asked again and again.');
    return 0;
  };
  const services = { host, outbox: createOutbox(noStorage, 'w'), now };
  const { deliver } = createDelivery(
    { ...services, stores: createStores(noStorage) },
    notBegun,
    createMessageBox(createStores(noStorage)),
  );
  const unsent = { id: 'turn_1', sessionId: 's1', text: 'Hello', files: [], attachments: [], since: 0 };
  const delivered = deliver(unsent);
  await settled();
  await pipes[0]?.end();
  expect(host.state).toBe('lost');
  for (const retry of retries) retry();
  await settled();
  expect(pipes.map(({ sent }) => sent.length)).toEqual([1, 1]);
  pipes[1]?.answer({ turnId: 'turn_1', queued: false });
  expect(await delivered).toMatchObject({ turnId: 'turn_1' });
});

const notBegun: Parts[1] = () => Promise.reject(new Error('Nothing begins here.'));
