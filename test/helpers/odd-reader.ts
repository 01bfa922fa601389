/** An entry of a contained reader that does what its input says, mostly wrong. */
import { readFileSync } from 'node:fs';
import { answerContained } from '../../src/platform/contained-entry.ts';

const megabyte = 2 ** 20;

async function* answers(input: Uint8Array): AsyncIterable<unknown> {
  const [what = '', ...more] = Buffer.from(input).toString().split(' ');
  yield { what };
  switch (what) {
    case 'echo':
      for (const each of more) yield { each };
      return;
    case 'loop':
      for (;;);
    case 'heap': {
      const kept: object[] = [];
      for (;;) kept.push({ at: kept.length, list: [1, 2, 3] });
    }
    case 'buffers': {
      const kept: Buffer[] = [];
      for (;;) {
        kept.push(Buffer.alloc(20 * megabyte, 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    case 'throw':
      throw new Error('broken');
    case 'flood':
      for (;;) yield { text: 'x'.repeat(10_000) };
    case 'read':
      try {
        yield { text: readFileSync(more.join(' '), 'utf8') };
      } catch {
        yield { text: null };
      }
  }
}

await answerContained(answers);
