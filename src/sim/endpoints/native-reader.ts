import { ParseFailure, type ParsedCall } from '../parsers/index.ts';
import type { JsonObject } from '../render/index.ts';
import type { TokenEvent } from '../runner/reply-plan.ts';
import { scanJson } from '../wire/go-scan.ts';

/** Puts the calls of a native runner together; they all go out with the final line. */
export class NativeReader {
  readonly #calls: { id: string; name: string; text: string }[] = [];

  take(event: Extract<TokenEvent, { kind: 'call' | 'arguments' }>): void {
    if (event.kind === 'call') this.#calls[event.index] = { id: event.id, name: event.name, text: '' };
    else {
      const call = this.#calls[event.index];
      if (call !== undefined) call.text += event.text;
    }
  }

  finish(): ParsedCall[] {
    return this.#calls.map(({ id, name, text }) => ({ id, name, arguments: readArguments(name, text) }));
  }
}

function readArguments(name: string, text: string): JsonObject {
  const scan = scanJson(text);
  const problem =
    scan.kind === 'incomplete' ? 'unexpected end of JSON input' : scan.kind === 'error' ? scan.message : '';
  if (problem !== '') {
    throw new ParseFailure(
      `llama-server returned invalid tool call arguments for ${JSON.stringify(name)}: ${problem}`,
    );
  }
  return JSON.parse(text) as JsonObject;
}
