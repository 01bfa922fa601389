/**
 * A reply in which one token comes over and over is ended by Ollama: with an error since 0.34.1, before that without a word,
 * as if the connection had broken (docs/engine.md). Asked again as after a broken connection, the model would only go on.
 */
import { AndironError } from '../protocol/errors.ts';
import type { ChatLine } from './schemas.ts';

/** Ollama ends it with the line after so many that repeat the one before; blanks of any kind are the same to it. */
const silentLimit = 30;

/** Yields every line. Throws `reply_repeated` where the stream only ended because of that, else what the lines throw. */
export async function* untilRepeated(
  lines: AsyncIterable<ChatLine>,
  model: string,
): AsyncGenerator<ChatLine> {
  let last = '';
  let repeats = 0;
  try {
    for await (const line of lines) {
      const { content, thinking = '' } = line.message;
      const token = (content + thinking).trim();
      repeats = token === last ? repeats + 1 : 0;
      last = token;
      yield line;
    }
  } catch (error) {
    const isSilentEnd =
      error instanceof AndironError && error.code === 'stream_cut' && repeats >= silentLimit;
    throw isSilentEnd ? repeated(model, error) : error;
  }
}

const repeated = (model: string, cause: AndironError): AndironError =>
  new AndironError(
    'reply_repeated',
    `${model} wrote the same over and over, so Ollama stopped it.`,
    'What came so far is kept. Rephrase the message, or choose another model.',
    { cause },
  );
