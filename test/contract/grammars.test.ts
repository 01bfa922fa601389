/**
 * What a real engine takes as a grammar and what it refuses, against the two readers of Andiron: the check before sending
 * and the simulator. `grammars.json` beside this file was recorded with the patterns below; a longer list may lie outside.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { grammarProblem } from '../../src/rules/grammar/check.ts';
import { reply, sequence, startSim } from '../../src/sim/index.ts';
import { judgeFormat } from '../../src/sim/grammar/format-verdict.ts';
import type { JsonObject } from '../../src/sim/render/index.ts';

const schema = z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success);
const recordsSchema = z.object({
  patterns: z.object({
    taken: z.array(z.string()),
    refused: z.array(z.string()),
    /** With the converter's own words. */
    unconvertible: z.record(z.string(), z.string()),
  }),
  schemas: z.array(z.object({ name: z.string(), schema, says: z.string().nullable() })),
});
const records = recordsSchema.parse(
  JSON.parse(readFileSync(new URL('grammars.json', import.meta.url), 'utf8')),
);

const withText = (text: JsonObject): JsonObject => ({
  type: 'object',
  properties: { a: { type: 'string', ...text } },
  required: ['a'],
  additionalProperties: false,
});
const withPattern = (pattern: string): JsonObject => withText({ pattern });

/** The engine ignores them, so they would not do what they say: Andiron sends none. */
const isIgnored = (pattern: string): boolean => /\(\?(?!:)|\{0(?:,0)?\}/.test(pattern);

describe('the readers of grammars against a recorded engine', () => {
  const { taken, refused, unconvertible } = records.patterns;

  test('What the engine took both readers take, as far as it is not ignored (audit-E1)', () => {
    expect(taken.length).toBeGreaterThan(300);
    expect(taken.filter((pattern) => judgeFormat(withPattern(pattern)).kind !== 'taken')).toEqual([]);
    const sent = taken.filter((pattern) => !isIgnored(pattern));
    expect(sent.filter((pattern) => grammarProblem(withPattern(pattern)) !== null)).toEqual([]);
  });

  test('What the engine refused both readers refuse (audit-E1)', () => {
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.filter((pattern) => judgeFormat(withPattern(pattern)).kind !== 'refused')).toEqual([]);
    expect(refused.filter((pattern) => grammarProblem(withPattern(pattern)) === null)).toEqual([]);
  });

  test('What the engine cannot convert it says in its own words, and the check refuses it (audit-E1)', () => {
    for (const [pattern, words] of Object.entries(unconvertible)) {
      expect(judgeFormat(withPattern(pattern))).toEqual({ kind: 'errors', errors: words.split('\n') });
      expect(grammarProblem(withPattern(pattern))).not.toBeNull();
    }
  });

  test.each(records.schemas)(
    'The simulator takes or refuses $name as the engine does (audit-E1)',
    (record) => {
      const { says } = record;
      const [, errors] = /conversion failed:\n(.*)$/s.exec(says ?? '') ?? [];
      const broken = { kind: 'errors', errors: errors?.split('\n') };
      const verdict = judgeFormat(record.schema);
      expect(verdict).toEqual(errors ? broken : { kind: says === null ? 'taken' : 'refused' });
      expect(says === null || grammarProblem(record.schema) !== null).toBe(true);
    },
  );

  test('What the check takes the simulator takes, whatever the pattern (audit-E1)', () => {
    const bits =
      'a|é|日|😀|-|.|\\.|\\-|\\w|\\n|\\x41|(|)|(?:|[a-z]|[^a-]|[\\]]|]|*|+|?|{2}|{0,1999}|{700}|"|#'.split(
        '|',
      );
    const pattern = fc
      .array(fc.constantFrom('|', '{2,}', ...bits), { maxLength: 8 })
      .map((all) => `^${all.join('')}$`);
    fc.assert(
      fc.property(pattern, (text) => {
        const isTaken = judgeFormat(withPattern(text)).kind === 'taken';
        const isSent = grammarProblem(withPattern(text)) === null;
        expect(isIgnored(text) || isTaken === isSent).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

const truth = join(
  process.env['ENGINE_TRUTH'] ?? fileURLToPath(new URL('../../../shared/engine-truth', import.meta.url)),
  'grammars.json',
);
const older = existsSync(truth)
  ? z
      .object({ schemas: z.array(z.object({ name: z.string(), status: z.number() })) })
      .parse(JSON.parse(readFileSync(truth, 'utf8'))).schemas
  : [];
if (older.length === 0)
  process.stdout.write(`grammars: skipped, no records at ${truth} (set ENGINE_TRUTH)\n`);

/** Those whose schema the name tells. */
function schemaNamed(name: string): JsonObject | null {
  if (name.startsWith('pattern ')) return withPattern(name.slice('pattern '.length));
  const [, value] = /^enum (".*")$/s.exec(name) ?? [];
  if (value !== undefined) return withText({ enum: [z.string().parse(JSON.parse(value))] });
  const [, length] = /^maxLength (\d+)$/.exec(name) ?? [];
  return length === undefined ? null : withText({ maxLength: Number(length) });
}

test.skipIf(older.length === 0)('An older engine took and refused the same grammars (audit-E1)', () => {
  const known = older.flatMap(({ name, status }) => {
    const named = schemaNamed(name);
    return named === null ? [] : [{ name, status, named }];
  });
  expect(known.length).toBeGreaterThan(80);
  for (const { name, status, named } of known) {
    const { kind } = judgeFormat(named);
    // Where the engine took a pattern and the reply broke, it says 500.
    const seen = { name, isTaken: kind === 'taken', hangs: kind === 'stuck' };
    expect(seen).toEqual({ name, isTaken: status === 200 || status === 500, hangs: status === 0 });
  }
});

const ask = async (model: string, format: JsonObject, stream: boolean) => {
  const models = [
    { name: 'llama:8b', family: 'native-llama3.1' },
    { name: 'gemma3:1b', family: 'template-gemma3' },
  ] as const;
  const sim = await startSim({ models, speed: 1e6, script: sequence(reply().constrainedAnswer('a')) });
  try {
    const body = { model, format, stream, messages: [{ role: 'user', content: 'a' }] };
    const response = await fetch(`${sim.url}/api/chat`, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: await response.text() };
  } finally {
    await sim.close();
  }
};
const saying = (message: string): string =>
  JSON.stringify({
    error: JSON.stringify({ error: { code: 400, message, type: 'invalid_request_error' } }),
  });

describe('the simulator', () => {
  test.each([true, false])(
    'It refuses a grammar with the words of the engine, streamed: %s (audit-E1)',
    async (stream) => {
      for (const model of ['llama:8b', 'gemma3:1b']) {
        const { status, body } = await ask(model, withPattern(String.raw`^a\-b$`), stream);
        expect(status).toBe(400);
        expect(body.trim()).toBe(saying('Failed to initialize samplers: failed to parse grammar'));
      }
      const broken = `JSON schema conversion failed:\nPattern must start with '^' and end with '$'`;
      expect((await ask('llama:8b', withPattern('a'), stream)).body.trim()).toBe(
        saying(`Unable to generate parser for this template. Automatic parser generation failed: ${broken}`),
      );
      expect((await ask('gemma3:1b', withPattern('a'), stream)).body.trim()).toBe(
        saying(`Field 'json_schema': "json_schema": ${broken}`),
      );
    },
  );

  test('It never answers a pattern that the engine never reads to its end (audit-E1)', async () => {
    const sim = await startSim({ speed: 1e6, script: sequence(reply().text('a')) });
    try {
      const body = JSON.stringify({
        model: 'qwen3.5:9b',
        format: withPattern('^[]]$'),
        messages: [{ role: 'user', content: 'a' }],
      });
      const signal = AbortSignal.timeout(300);
      await expect(fetch(`${sim.url}/api/chat`, { method: 'POST', body, signal })).rejects.toThrow('timeout');
    } finally {
      await sim.close();
    }
  });
});
