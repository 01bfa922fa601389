/** What a person is told when nothing can be asked of Ollama, and what to do next. */
import { AndironError } from '../../protocol/errors.ts';
import type { Barrier, EngineStatus } from '../../protocol/model.ts';
import { defaultUrl } from './host-address.ts';

export function startFailed(what: string, hint: string): AndironError {
  return new AndironError(
    'engine_unavailable',
    `Ollama was started, but ${what}.`,
    `${hint} and read what it says.`,
  );
}

export function stayedAway(status: EngineStatus): AndironError {
  const { message, advice } = unavailable(status);
  return new AndironError(
    'engine_unavailable',
    `Ollama went away and did not come back within a minute. ${message}`,
    advice,
  );
}

/** Why nothing can be asked of Ollama now, and what to do about it. */
export function unavailable(status: EngineStatus): AndironError {
  switch (status.kind) {
    case 'stopped':
      return new AndironError('engine_unavailable', 'Ollama is installed but not running.', status.startHint);
    case 'wrong':
      return new AndironError('engine_unavailable', status.message, adviceOn(status.barrier));
    case 'absent':
      return new AndironError(
        'engine_unavailable',
        `Ollama was not found at ${status.tried[0] ?? defaultUrl}.`,
        'Install it from https://ollama.com/download, let Andiron set it up, or name the host where it runs.',
      );
    case 'searching':
    case 'starting':
    case 'running':
      return new AndironError('engine_unavailable', 'Ollama does not answer yet.', 'Try again in a moment.');
  }
}

function adviceOn(barrier: Barrier | undefined): string {
  switch (barrier) {
    case 'certificate':
      return 'Have this computer trust that certificate, or name another host.';
    case 'refusal':
      return 'Let Andiron through there, or name another host.';
    case 'gateway':
      return 'Start Ollama there, or name another host.';
    case undefined:
      return 'Stop the other program on that port, or name another host.';
  }
}
