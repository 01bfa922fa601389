/** Where the command line writes: answers on stdout, everything else on stderr. */
import type { Writable } from 'node:stream';
import { visibleName, visibleText } from '../rules/visible-text/visible-text.ts';
import { plainJson, TerminalStream } from './terminal-text.ts';

export interface CliStreams {
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
}

export interface CliOutput {
  /** A piece of an answer. */
  answer(text: string): void;
  /** The answer, or a part of it, is over: the next one begins on a line of its own. */
  endAnswer(): void;
  /** One line of a list on stdout. */
  line(text: string): void;
  json(value: unknown): void;
  /** To the person, with hidden characters written out. */
  note(text: string): void;
  /** A note whose line goes on with what the person types. */
  prompt(text: string): void;
  /** Resolves when everything was handed to the system. */
  flush(): Promise<void>;
}

/** @param onClosed is called once, when nobody reads stdout any longer */
export function createOutput({ stdout, stderr }: CliStreams, onClosed: () => void): CliOutput {
  const isTerminal = stdout.isTTY === true;
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    onClosed();
  };
  stdout.on('error', close);
  // Nobody is there to be told.
  stderr.on('error', () => undefined);

  let lineBegun = false;
  const write = (text: string): void => {
    if (!isOpen || text === '') return;
    lineBegun = !text.endsWith('\n');
    stdout.write(text);
  };
  const stream = new TerminalStream(write);

  return {
    answer: (text) => (isTerminal ? stream.add(text) : write(text)),
    endAnswer() {
      stream.end();
      if (lineBegun) write('\n');
    },
    line: (text) => write(`${isTerminal ? visibleName(text) : text}\n`),
    json(value) {
      const text = JSON.stringify(value);
      write(`${isTerminal ? plainJson(text) : text}\n`);
    },
    note(text) {
      if (isTerminal) {
        stream.end();
        if (lineBegun) write('\n');
      }
      stderr.write(`${visibleText(text)}\n`);
    },
    prompt: (text) => void stderr.write(visibleText(text)),
    flush: async () => {
      await Promise.all([stdout, stderr].map(flushed));
    },
  };
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}
