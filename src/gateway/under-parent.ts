/** The gateway as a part of the running app: it is told its port, and is handed a connection to the host for each request. */
import { acceptBridgeChannel, type FromBridge } from '../platform/bridge-channel.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { machineNames } from '../platform/machine-names.ts';
import type { ChildSide } from '../platform/parent-channel.ts';
import type { Pipe } from '../platform/pipe.ts';
import { becomePrivate } from '../platform/umask.ts';
import { gatewaySettingsSchema } from '../protocol/bridge-settings.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { serveGateway, type Gateway } from './serve-gateway.ts';

/** A parent that does not answer is busy with its own end. */
const handOverMs = 5_000;

export function serveUnderParent(side: ChildSide, clock: Clock = systemClock): void {
  becomePrivate();
  let gateway: Promise<Gateway> | undefined;
  const wanting: ((pipe: Pipe | null) => void)[] = [];
  const give = (pipe: Pipe | null): void => {
    const next = wanting.shift();
    if (next) next(pipe);
    // Nobody asked for it: the parent hands one over with each new host.
    else pipe?.close();
  };
  const connect = (): Promise<Pipe | null> =>
    new Promise((resolve) => {
      const late = clock.after(handOverMs, () => {
        wanting.splice(wanting.indexOf(take), 1);
        resolve(null);
      });
      const take = (pipe: Pipe | null): void => {
        late.cancel();
        resolve(pipe);
      };
      wanting.push(take);
      report({ type: 'want_host' });
    });
  const post = acceptBridgeChannel(
    {
      onInit(settings) {
        const { port, authority } = gatewaySettingsSchema.parse(settings);
        let own: string | null = null;
        let others: string[] = [];
        const listening = (): void => {
          if (own !== null)
            report({ type: 'listening', at: [own, ...others].map((url) => `${url}/v1`).join(', ') });
        };
        const onChange = (urls: string[]): void => {
          others = urls;
          listening();
        };
        const onOwn = (port: number): void => {
          own = `http://127.0.0.1:${String(port)}`;
          listening();
        };
        const network = authority && { authority, machine: machineNames, onChange };
        gateway = serveGateway({ port, connect, clock, network, onInternalError });
        gateway.then(
          (serving) => onOwn(serving.port),
          () => report({ type: 'failed', ...portTaken(port) }),
        );
      },
      onHost: give,
      onNoHost: () => give(null),
      onStop: async () => (await gateway)?.close(),
    },
    side,
  );
  const report = (message: FromBridge): void => post(message);
  const onInternalError = (error: unknown): void =>
    report({
      type: 'log',
      level: 'error',
      text: `A request could not be served: ${withoutKeys(String(error))}`,
    });
}

const portTaken = (port: number): { message: string; advice: string } => ({
  message: `Port ${String(port)} cannot be used.`,
  advice: 'Another program most likely uses it. Choose another port.',
});
