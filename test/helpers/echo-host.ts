/** A host that answers every frame with the frame: what tests start in place of the built agent host. */
import { acceptConnections } from '../../src/platform/host-channel.ts';
import type { Pipe } from '../../src/platform/pipe.ts';

const echo =
  (name: string) =>
  (pipe: Pipe): void => {
    pipe.send({ you: name });
    pipe.onFrame((frame) => {
      if (frame === 'die') process.exit(7);
      pipe.send({ echo: frame });
    });
  };

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
    onPower: () => undefined,
    onStop: () => Promise.resolve(),
  },
  process,
);
