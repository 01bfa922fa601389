import { describe, expect, test } from 'vitest';
import type { LoadedModel, ModelInfo, Profile, RequestUsage } from '../../protocol/model.ts';
import { aModel, anEngine, aProfile, aUsage } from '../testing/fixtures.ts';
import { changePrice, isFree, switchPrice, withEngine, type PricingContext } from '../../rules/price.ts';
import { priceWords } from './price-words.ts';

const profile = (changes: Partial<Profile>): Profile =>
  aProfile({ models: [], tools: ['read_file', 'search'], systemPrompt: 'You write.', ...changes });
const model = (name: string, sizeBytes: number): ModelInfo => aModel({ name, sizeBytes });

const gib = 1024 ** 3;
const developer = profile({});
const writer = profile({ id: 'writer', name: 'Writer', systemPrompt: 'You explain.' });

const last = aUsage({
  model: 'big:27b',
  promptTokens: 21_480,
  cachedTokens: 13_280,
  evaluatedTokens: 8_200,
  promptMs: 10_000,
});

const loaded: LoadedModel = {
  name: 'big:27b',
  sizeBytes: 20 * gib,
  vramBytes: 20 * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
};

function pricing(
  changes: { last?: RequestUsage | null; loaded?: LoadedModel[]; asked?: boolean } = {},
): PricingContext {
  const engine = anEngine({
    models: [model('big:27b', 17 * gib), model('small:4b', 3 * gib)],
    loaded: changes.loaded ?? [loaded],
  });
  return {
    target: {
      profile: developer,
      chosenModel: null,
      hosts: new Set(['lab']),
    },
    engine,
    asked: changes.asked ?? true,
    last: changes.last === undefined ? last : changes.last,
  };
}

describe('switching the profile', () => {
  test('another prompt on the same model re-reads the session and loads nothing', () => {
    const price = switchPrice(pricing(), writer);
    expect(price.load).toBeNull();
    expect(priceWords(price)).toBe('re-reads about 21,480 tokens, about 26 s');
  });

  test('after a summary only what is left is read anew', () => {
    const price = switchPrice({ ...pricing(), usedTokens: 2_256 }, writer);
    expect(price.reread).toMatchObject({ tokens: 2_256 });
  });

  test('other limits with the same prompt and tools cost nothing', () => {
    const price = switchPrice(pricing(), profile({ id: 'patient', maxIterations: 100 }));
    expect(isFree(price)).toBe(true);
    expect(priceWords(price)).toBe('free: same prompt, same model');
  });

  test('the same tools in another order are read again: the prompt begins with them in theirs', () => {
    const reversed = profile({ id: 'reversed', tools: developer.tools.toReversed() });
    expect(developer.tools.length).toBeGreaterThan(1);
    expect(switchPrice(pricing(), reversed)).toMatchObject({ load: null, reread: { tokens: 21_480 } });
  });

  test('the model of another host is read from its beginning, and nothing is loaded for it', () => {
    const remote = profile({ id: 'remote', models: ['lab/big'] });
    expect(switchPrice(pricing(), remote)).toMatchObject({
      load: null,
      reread: { tokens: 21_480, ms: null },
    });
  });

  test('another model is loaded, and its reading speed is not known', () => {
    const price = switchPrice(pricing(), profile({ id: 'quick', models: ['small:4b'] }));
    expect(priceWords(price)).toBe('loads small:4b, 3.0 GB, and re-reads about 21,480 tokens');
  });

  test('another model that is loaded already still reads everything', () => {
    const both = [loaded, { ...loaded, name: 'small:4b', sizeBytes: 4 * gib }];
    const price = switchPrice(pricing({ loaded: both }), profile({ id: 'quick', models: ['small:4b'] }));
    expect(price).toMatchObject({ load: null, reread: { tokens: 21_480 } });
  });

  test('a model that the person chose stays', () => {
    const chosen = pricing();
    chosen.target.chosenModel = 'big:27b';
    expect(switchPrice(chosen, profile({ id: 'quick', models: ['small:4b'] })).load).toBeNull();
  });

  test('a session that has sent nothing has nothing to lose', () => {
    expect(priceWords(switchPrice(pricing({ asked: false, last: null }), writer))).toBe(
      'nothing has been read yet',
    );
  });

  test('before the first answer it is unknown what was read', () => {
    expect(priceWords(switchPrice(pricing({ last: null }), writer))).toBe(
      're-reads the session, tokens unknown',
    );
  });

  test('tokens that the engine does not count are unknown, not 0', () => {
    const silent = { ...last, promptTokens: null, evaluatedTokens: null };
    expect(priceWords(switchPrice(pricing({ last: silent }), writer))).toBe(
      're-reads the session, tokens unknown',
    );
  });

  test('a request that read almost nothing says nothing about the speed', () => {
    const quick = { ...last, evaluatedTokens: 50, promptMs: 400 };
    expect(priceWords(switchPrice(pricing({ last: quick }), writer))).toBe('re-reads about 21,480 tokens');
  });
});

describe('changing the profile', () => {
  test('another window loads the model again and re-reads the session', () => {
    const price = changePrice(pricing(), developer, { ...developer, contextTokens: 32_768 });
    expect(priceWords(price)).toBe(
      'loads big:27b again, 20.0 GB, and re-reads about 21,480 tokens, about 26 s',
    );
  });

  test.each([
    ['nothing is re-read for a load that the engine knows it does not need', {}, null],
    ['other words are re-read, whatever the engine loads', { systemPrompt: 'You test.' }, 21_480],
  ])('%s', (_, changes, tokens) => {
    const price = changePrice(pricing(), developer, { ...developer, ...changes, contextTokens: 32_768 });
    const answer = { model: 'big:27b', contextTokens: 32_768, loads: false, loadBytes: 0, loadMs: null };
    const known = withEngine(price, { ...answer, unloads: [], verdict: 'fits' });
    expect([price.reread?.tokens, known.load, known.reread?.tokens ?? null]).toEqual([21_480, null, tokens]);
  });

  test('another window of a model that is not loaded costs nothing more', () => {
    const price = changePrice(pricing({ loaded: [] }), developer, { ...developer, contextTokens: 32_768 });
    expect(isFree(price)).toBe(true);
  });

  test('a tool less re-reads the session', () => {
    const price = changePrice(pricing(), developer, { ...developer, tools: ['read_file'] });
    expect(price).toMatchObject({ load: null, reread: { tokens: 21_480 } });
  });

  test('thinking re-reads the session where it is part of the prompt, and says that it may not be', () => {
    expect(priceWords(changePrice(pricing(), developer, { ...developer, think: false }))).toBe(
      'may re-read about 21,480 tokens, depending on the model',
    );
  });

  test('another way to call tools may re-read the session', () => {
    const price = changePrice(pricing(), developer, { ...developer, calls: 'constrained' });
    expect(price).toMatchObject({ load: null, reread: { maybe: true } });
  });

  test('planning, steering, subagents and memory change no prompt that was read', () => {
    const after: Profile = {
      ...developer,
      planningEnabled: true,
      goalAnchoringInterval: 3,
      subagentTools: ['read_file'],
      memoryEnabled: false,
      compactAt: 0.5,
    };
    expect(isFree(changePrice(pricing(), developer, after))).toBe(true);
  });

  test('more iterations cost nothing', () => {
    expect(isFree(changePrice(pricing(), developer, { ...developer, maxIterations: 99 }))).toBe(true);
  });
});
