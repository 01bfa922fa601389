import { describe, expect, it } from 'vitest';
import { chooseModel, effectiveModel, modelReadiness, onlyMakesVectors } from './choose-model.ts';

const model = (name: string, ...capabilities: string[]) => ({ name, capabilities });
const embeds = model('embed:1b', 'embedding');
const talks = model('talker:3b', 'completion');
const works = model('worker:9b', 'completion', 'tools');
const untold = { name: 'Unknown:latest', capabilities: null };

describe('the model of a session', () => {
  it.each([
    ['the one that the person chose', [talks, works], ['worker:9b'], 'talker:3b', 'talker:3b'],
    [
      'the chosen one, whatever its case and without its tag',
      [works, untold],
      [],
      'unknown',
      'Unknown:latest',
    ],
    ['the first of the profile that is installed', [talks, works], ['gone', 'talker:3b'], null, 'talker:3b'],
    ['one with tools where the profile names none', [embeds, talks, works], [], null, 'worker:9b'],
    ['one that chats where none has tools', [embeds, talks], [], null, 'talker:3b'],
    ['one of which nothing is known', [embeds, untold], [], null, 'Unknown:latest'],
  ])('is %s', (_, installed, listed, pinned, expected) => {
    expect(chooseModel(installed, listed, pinned)).toMatchObject({
      kind: 'chosen',
      model: { name: expected },
    });
  });

  it('is missing where the person chose one that is not installed', () => {
    expect(chooseModel([works], [], 'gone')).toEqual({ kind: 'missing', name: 'gone' });
  });

  it('is none where nothing is installed that can chat', () => {
    expect(chooseModel([embeds], ['gone'], null)).toEqual({ kind: 'none' });
  });
});

describe('the name that the next turn asks first, with other hosts', () => {
  const hosts = new Set(['lab']);
  it.each([
    ['the one of a host that the person chose', 'lab/big', ['worker:9b'], 'lab/big'],
    ['that of an unknown host as a missing one of the engine', 'lost/big', [], 'lost/big'],
    ['the first of the list, where a host has it', null, ['lab/big', 'worker:9b'], 'lab/big'],
    ['an installed one that is listed before it', null, ['worker:9b', 'lab/big'], 'worker:9b'],
    [
      'that of the host, where those before it are not installed',
      null,
      ['gone', 'lab/big', 'worker:9b'],
      'lab/big',
    ],
    ['an own one whose name has a slash', null, ['hf.co/someone/model'], 'hf.co/someone/model'],
    ['any that can call tools, where nothing is listed', null, [], 'worker:9b'],
  ])('is %s', (_, chosen, wanted, expected) => {
    const installed = [works, model('hf.co/someone/model', 'completion')];
    expect(effectiveModel({ chosen, wanted, hosts, installed })).toBe(expected);
  });

  it('is none where nothing is installed that can chat', () => {
    expect(effectiveModel({ chosen: null, wanted: [], hosts, installed: [embeds] })).toBeNull();
  });
});

describe('a model for the next turn', () => {
  const running = { kind: 'running', url: '', version: '', simulated: false, exposed: null } as const;
  const engine = { status: running, models: [], modelsReadAt: 1 };
  const info = { ...works, sizeBytes: 1, digest: '', family: '', parameterSize: '', quantization: '' };
  const installed = [{ ...info, trainedContext: null, thinkingValues: null, modifiedAt: '' }];

  const ready = { ...engine, models: installed };
  const stopped = { kind: 'stopped', program: '', startHint: '', canStart: true } as const;
  it.each([
    ['ready', 'with an engine that runs and has told a model', ready, null],
    ['missing', 'without a model', engine, null],
    ['missing', 'without the one that the person chose', ready, 'gone'],
    ['missing', 'where the engine does not run', { ...ready, status: stopped }, null],
    [
      'missing',
      'while the engine starts',
      { ...ready, status: { kind: 'starting', since: 1 } as const },
      null,
    ],
    ['unknown', 'before its models were read', { ...ready, modelsReadAt: null }, null],
    ['unknown', 'while it is looked for', { ...ready, status: { kind: 'searching' } as const }, null],
    ['unknown', 'without a connection', undefined, null],
  ])('is %s %s', (expected, _, known, pinned) => {
    expect(modelReadiness(known, [], pinned)).toBe(expected);
  });
});

it('a model only makes vectors where it says so and offers no answers', () => {
  const both = model('both:1b', 'embedding', 'completion');
  expect([embeds, both, talks, untold, undefined].map(onlyMakesVectors)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
