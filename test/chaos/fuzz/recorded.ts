/** Streams as a real Ollama sends them, with made-up words: the ground that mutations start from. */
import type { Chance } from '../../bench/prefix/chance.ts';

export type Line = Record<string, unknown>;

const model = 'qwen3.5:9b';
const foreign = ['häuser', '🔥', '日本語', 'naïve — “quoted”', '\\n <div>&amp;', '𝔘nicode', 'e\u0301'];

const counters = (chance: Chance): Line => ({
  done: true,
  total_duration: 4_883_583_458 + chance.below(1e9),
  load_duration: 1_334_875 + chance.below(1e6),
  prompt_eval_count: 26 + chance.below(8000),
  prompt_eval_cached_count: chance.below(26),
  prompt_eval_duration: 342_546_000,
  eval_count: 282,
  eval_duration: 4_535_599_000,
});

/** A whole reply: thinking or not, text, calls or not, and the line that says `done`. */
export function recordedStream(chance: Chance): Line[] {
  const line = (message: Line, rest: Line = { done: false }): Line => ({
    model,
    created_at: `2026-11-21T22:52:${String(10 + chance.below(50))}.${String(chance.below(1e9))}Z`,
    message: { role: 'assistant', content: '', ...message },
    ...rest,
  });
  const word = (): string => ` ${chance.below(4) === 0 ? chance.pick(foreign) : chance.word()}`;
  const call = (index: number): Line => ({
    id: `call_${chance.word()}`,
    function: {
      index,
      name: chance.pick(['read_file', 'write_file', 'run_command']),
      arguments: { path: `src/${chance.word()}.ts`, content: word().repeat(3), count: chance.below(99) },
    },
  });
  const many = (most: number, make: (index: number) => Line): Line[] =>
    Array.from({ length: chance.below(most + 1) }, (_, index) => make(index));

  return [
    ...many(2, () => line({ thinking: word() })),
    ...many(5, () => line({ content: word() })),
    ...many(2, (index) => line({ tool_calls: [call(index)] })),
    line({}, { done_reason: chance.pick(['stop', 'stop', 'length']), ...counters(chance) }),
  ];
}
