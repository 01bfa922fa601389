/** A host that answers every frame with the frame: what tests start in place of the built agent host. */
import { acceptConnections } from '../../src/platform/host-channel.ts';
import type { Pipe } from '../../src/platform/pipe.ts';

const echo =
  (name: string) =>
  (pipe: Pipe): void => {
    pipe.send({ you: name });
    pipe.onFrame((frame) => {
      if (frame === 'die') process.exit(7);
      pipe.send({ echo: repeated(frame) ?? frame });
    });
  };

/** A long answer to a short question: `{"repeat": 5}` → `xxxxx`. */
function repeated(frame: unknown): string | undefined {
  const asked = typeof frame === 'object' && frame !== null && 'repeat' in frame ? frame.repeat : undefined;
  return typeof asked === 'number' ? 'x'.repeat(asked) : undefined;
}

const link = acceptConnections(
  {
    onInit: (init) =>
      init.workspace === '/refused' ? Promise.reject(new Error('No such workspace.')) : Promise.resolve(),
    onEngine: (pipe) => {
      pipe.send({ from: 'host' });
      pipe.onFrame((frame) => {
        if (frame === 'busy') link.reportActivity(1);
      });
    },
    onWindow: echo('window'),
    onBridge: echo('bridge'),
    onBridgeState: () => undefined,
    onStay: () => undefined,
    onPower: () => undefined,
    onStop: () => Promise.resolve(),
  },
  process,
);
