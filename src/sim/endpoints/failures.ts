import type { RunnerFault } from '../runner/reply-plan.ts';

/** Ollama's words for a runner that ended before it answered. */
export const STOPPED =
  'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, ' +
  'check ollama server logs for details';

/** What Ollama makes of a failing runner; undefined = it takes it for the end of the stream. */
export function runnerFailure(
  fault: RunnerFault,
  { isNative, hasStarted }: { isNative: boolean; hasStarted: boolean },
): string | undefined {
  const reply = isNative ? 'llama-server chat response' : 'llama-server response';
  switch (fault.kind) {
    case 'exit':
      return hasStarted ? running(lastWords(fault.text) || 'unexpected EOF') : stopped(lastWords(fault.text));
    case 'kill':
      return hasStarted ? running('unexpected EOF') : STOPPED;
    case 'runner-reset':
      if (!hasStarted) return STOPPED;
      return `error reading ${reply}: read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer`;
    case 'runner-error':
      if (fault.prefix === 'error') {
        return `error unmarshalling ${reply}: invalid character 'e' looking for beginning of value`;
      }
      if (!isNative) return undefined;
      return `llama-server chat error: map[code:500 message:${fault.message} type:server_error]`;
    case 'runner-malformed':
      return `error unmarshalling ${reply}: unexpected end of JSON input`;
    case 'runner-huge':
      return `${reply} stream event exceeded 8 MB limit`;
    case 'runner-eof':
      return undefined;
  }
}

const running = (why: string) => `an error was encountered while running the model: ${why}`;

const stopped = (why: string) => (why === '' ? STOPPED : `${STOPPED}: ${why}`);

/** Ollama keeps of the runner's log only the part that it recognises as an error. */
function lastWords(text: string): string {
  return /cudaMalloc failed: out of memory/.exec(text)?.[0] ?? text;
}
