/** The contract between a bridge's process and whoever starts it. It is given no path and no key of anything else. */
import { listenToParent, type ChildSide } from './parent-channel.ts';
import type { Pipe } from './pipe.ts';

/** `settings` with its secret: told and not inherited, since other processes can read what a process was started with. */
export type ToBridge =
  | { type: 'init'; settings: unknown }
  | { type: 'connect'; name: 'host' }
  /** The answer to `want_host` where none is ready. */
  | { type: 'no_host' }
  | { type: 'stop' };

export type FromBridge =
  /** It works; `at` is for the owner to read. */
  | { type: 'listening'; at: string }
  /** It cannot, and starting again would not help. */
  | { type: 'failed'; message: string; advice: string }
  /** One more connection to the host: the gateway has one for each request. */
  | { type: 'want_host' }
  | { type: 'log'; level: 'warn' | 'error'; text: string };

export interface BridgeHandlers {
  /** Once, first. */
  onInit: (settings: unknown) => void;
  /** A host is there; again after each of its restarts. */
  onHost: (pipe: Pipe) => void;
  /** What was wanted cannot be had now. */
  onNoHost?: () => void;
  /** The process exits when it settles. Called once. */
  onStop: () => Promise<void>;
}

/** The bridge's side. Throws when there is no parent to talk to. */
export function acceptBridgeChannel(
  { onInit, onHost, onNoHost, onStop }: BridgeHandlers,
  side: ChildSide,
): (message: FromBridge) => void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    onStop().then(
      () => side.exit(0),
      () => side.exit(1),
    );
  };
  return listenToParent<ToBridge, 'host'>(side, {
    obey(message) {
      if (message.type === 'init') onInit(message.settings);
      else if (message.type === 'no_host') onNoHost?.();
      else if (message.type === 'stop') stop();
    },
    connect: (_name, pipe) => onHost(pipe),
    orphaned: stop,
  });
}
