import { describe, expect, it } from 'vitest';
import type {
  EngineState,
  GpuSample,
  Incident,
  LoadedModel,
  Reading,
  RequestUsage,
  RereadCause,
} from '../../../protocol/model.ts';
import { anEngine, anItem, aProfile, aReading, aTurn, aUsage, noon } from '../../testing/fixtures.ts';
import { findings, recentOf, speeds, type DiagnosisInput } from './findings.ts';

const gib = 1024 ** 3;

const gpu = (over: Partial<GpuSample> = {}): GpuSample => ({
  name: 'RTX 3090',
  vramTotalBytes: 24 * gib,
  vramUsedBytes: 7 * gib,
  utilization: 2,
  temperatureC: 60,
  powerW: 100,
  throttled: [],
  at: noon,
  ...over,
});

const model = (over: Partial<LoadedModel> = {}): LoadedModel => ({
  name: 'qwen3:8b',
  sizeBytes: 6 * gib,
  vramBytes: 6 * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
  ...over,
});

function known(engine: Partial<EngineState> = {}, over: Partial<DiagnosisInput> = {}): DiagnosisInput {
  return {
    engine: anEngine({ loaded: [model()], gpus: [gpu()], ...engine }),
    model: 'qwen3:8b',
    profile: aProfile(),
    context: { usedTokens: 3000, windowTokens: 16_384, estimated: false },
    turns: [],
    items: [],
    sessionId: 's1',
    now: noon,
    ...over,
  };
}

const after = (...usage: RequestUsage[]): Partial<DiagnosisInput> => ({
  turns: [aTurn({ status: 'finished', usage, startedAt: noon - 60_000, endedAt: noon })],
});

const ids = (circumstances: DiagnosisInput): string[] => findings(circumstances).map(({ id }) => id);
const only = (circumstances: DiagnosisInput) => {
  const [finding, ...others] = findings(circumstances);
  expect(others).toEqual([]);
  return finding;
};

const reread = (tokens: number, over: Partial<NonNullable<RequestUsage['reading']>> = {}) =>
  aUsage({
    evaluatedTokens: tokens,
    promptMs: tokens,
    reading: aReading({ rereadTokens: tokens, cause: 'reload', owner: 'engine', ...over }),
  });

describe('when nothing is wrong', () => {
  it('nothing is found', () => {
    expect(ids(known())).toEqual([]);
    expect(ids(known({}, after(aUsage(), aUsage())))).toEqual([]);
  });

  it('nothing is found of an engine that has not said much', () => {
    const silent = gpu({ vramTotalBytes: null, vramUsedBytes: null, utilization: null });
    expect(ids(known({ gpus: null, loaded: [] }, { model: null, context: null }))).toEqual([]);
    expect(ids(known({ gpus: [silent], loaded: [] }))).toEqual([]);
  });

  it('the speed is what the newest telling requests say', () => {
    const turns = after(
      aUsage({ evaluatedTokens: 1640, promptMs: 2000, outputTokens: 100, outputMs: 2000 }),
      aUsage({ evaluatedTokens: 20, promptMs: 900, outputTokens: 5, outputMs: 900 }),
    ).turns;
    expect(speeds(turns ?? [])).toEqual({ reads: 820, writes: 50 });
    expect(speeds([])).toEqual({ reads: null, writes: null });
  });
});

describe('the GPU', () => {
  it('that cannot be read is there all the same when the engine has a model in its VRAM', () => {
    expect(ids(known({ gpus: [] }))).toEqual([]);
    expect(ids(known({ gpus: [], loaded: [model({ vramBytes: 3 * gib })] }))).toEqual(['spill']);
  });

  it('that is not there is the reason, and nothing about spilling is said besides', () => {
    const finding = only(known({ gpus: [], loaded: [model({ vramBytes: 0 })] }));
    expect(finding).toMatchObject({ id: 'no-gpu', ongoing: true });
  });

  it('that holds only a part of the model is the reason, with who holds the rest', () => {
    const finding = only(
      known({ loaded: [model({ vramBytes: 4.8 * gib })], gpus: [gpu({ vramUsedBytes: 12 * gib })] }),
    );
    expect(finding).toMatchObject({
      id: 'spill',
      title: '20 % of qwen3:8b runs on the CPU',
      evidence: ['4.8 GB of its 6.0 GB are in VRAM.', 'Other programs hold 7.2 GB of VRAM.'],
      ongoing: true,
    });
  });

  it('is freed of another model, or asked for a smaller window that still holds what is used', () => {
    const spilled = model({ vramBytes: 4.8 * gib });
    const other = model({ name: 'other:7b', contextTokens: 4096, vramBytes: 2 * gib });
    const finding = only(known({ loaded: [spilled, other] }));
    expect(finding?.fixes).toEqual([
      { do: 'eject', model: 'other:7b', contextTokens: 4096, bytes: 2 * gib },
      { do: 'window', profileId: 'developer', tokens: 8192, before: 16_384 },
      { do: 'reload', model: 'qwen3:8b', contextTokens: 16_384 },
    ]);
    const full = { usedTokens: 9000, windowTokens: 16_384, estimated: false };
    expect(only(known({ loaded: [spilled] }, { context: full }))?.fixes.map((fix) => fix.do)).toEqual([
      'reload',
    ]);
  });

  it('that holds its clock back is told with its cause and figures', () => {
    const finding = only(known({ gpus: [gpu({ throttled: ['heat'], temperatureC: 86, powerW: null })] }));
    expect(finding).toMatchObject({ id: 'throttled', evidence: ['It is too hot: 86 °C.'], ongoing: true });
  });

  it('that others keep busy is told only while no turn of ours does', () => {
    const busy = { gpus: [gpu({ utilization: 90, vramUsedBytes: 14 * gib })] };
    expect(only(known(busy))?.id).toBe('others');
    const lease = { id: 'l', model: 'qwen3:8b', purpose: 'turn' as const, label: 'Flaky', since: noon };
    expect(ids(known({ ...busy, lease }))).toEqual([]);
  });

  it('that a turn waits for says who has it, and since when', () => {
    const lease = { id: 'l', model: 'qwen3:8b', purpose: 'turn' as const, label: 'Flaky', since: 0 };
    const finding = only(known({ lease, queue: [{ ...lease, id: 'q', since: noon - 9000 }] }));
    expect(finding).toMatchObject({
      id: 'waits',
      costMs: 9000,
      evidence: ['Flaky uses it. 1 other waits.'],
    });
    expect(ids(known({ lease, queue: [{ ...lease, id: 'q', purpose: 'warm' }] }))).toEqual([]);
  });
});

describe('tokens read twice', () => {
  it('are told with their cause, and kept warm against where they were lost', () => {
    const finding = only(known({}, after(reread(4000, { detail: 'It was idle for ten minutes.' }))));
    expect(finding).toMatchObject({
      title: '4,000 tokens were re-read',
      evidence: ['It was idle for ten minutes, in 1 step.'],
      costMs: 4000,
      fixes: [{ do: 'keep', before: 'while_open', minutes: 30 }],
    });
    expect(only(known({ keepAlive: 'always' }, after(reread(4000))))?.fixes).toEqual([]);
  });

  it('are not worth a word when they are few', () => {
    expect(ids(known({}, after(reread(150))))).toEqual([]);
  });

  it('by a choice of the person are told as such, and nothing is to be mended', () => {
    const chosen = reread(4000, { cause: 'persons_choice', owner: 'person' });
    expect(only(known({}, after(chosen)))).toMatchObject({
      help: 'You chose this. It costs time only once.',
      fixes: [],
    });
  });
});

it('loads within turns are counted and summed', () => {
  const finding = only(
    known({}, after(aUsage({ loadMs: 9000 }), aUsage({ loadMs: 400 }), aUsage({ loadMs: 5000 }))),
  );
  expect(finding).toMatchObject({ title: 'The model was loaded 2 times', costMs: 14_000 });
});

const incident = (over: Partial<Incident>): Incident => ({
  id: 'i',
  at: noon - 60_000,
  kind: 'slot_lost',
  model: 'qwen3:8b',
  message: 'Lost.',
  advice: 'Wait.',
  costMs: 9000,
  ...over,
});

describe('incidents', () => {
  it('of one kind are one finding, with the newest words and the whole cost', () => {
    const finding = only(known({ incidents: [incident({ message: 'Newest.' }), incident({})] }));
    expect(finding).toMatchObject({
      id: 'incident:slot_lost',
      evidence: ['Newest.', '2 times in the last half hour.'],
      help: 'Wait.',
      costMs: 18_000,
    });
  });

  it('of unknown cost have an unknown sum', () => {
    const finding = only(known({ incidents: [incident({}), incident({ costMs: null })] }));
    expect(finding?.costMs).toBeNull();
  });

  it('that are old, or that another finding tells, are left out', () => {
    const old = incident({ at: noon - 31 * 60_000 });
    expect(
      ids(known({ incidents: [old, incident({ kind: 'spill' }), incident({ kind: 'throttled' })] })),
    ).toEqual([]);
  });
});

it('a load that the engine accounts for is not told twice', () => {
  const reload = incident({ kind: 'reload', message: 'By another program.' });
  expect(ids(known({ incidents: [reload] }, after(aUsage({ loadMs: 9000 }))))).toEqual(['incident:reload']);
});

describe('the conversation', () => {
  it('whose new text took long to read is told without what was read twice', () => {
    const long = aUsage({
      evaluatedTokens: 20_000,
      promptMs: 20_000,
      reading: aReading({ rereadTokens: 10_000, cause: 'persons_choice', owner: 'person' }),
    });
    const finding = findings(known({}, after(long))).find(({ id }) => id === 'prompt');
    expect(finding).toMatchObject({
      costMs: 10_000,
      evidence: [expect.stringContaining('10,000 new tokens')],
    });
  });

  it('that fills its window can be summarised, or given a larger one up to what the model knows', () => {
    const context = { usedTokens: 15_500, windowTokens: 16_384, estimated: false };
    expect(only(known({}, { context }))?.fixes).toEqual([
      { do: 'compact', sessionId: 's1' },
      { do: 'window', profileId: 'developer', tokens: 32_768, before: 16_384 },
    ]);
    const large = aProfile({ contextTokens: 40_960 });
    expect(only(known({}, { context, profile: large }))?.fixes).toEqual([{ do: 'compact', sessionId: 's1' }]);
  });

  it('that makes each word slower is told by comparing with the same model before', () => {
    const quick = aUsage({ outputTokens: 100, outputMs: 2000 });
    const late = aUsage({ outputTokens: 100, outputMs: 5000 });
    expect(only(known({}, after(quick, late)))).toMatchObject({
      id: 'writing',
      evidence: ['20 tokens a second, 50 before.'],
      costMs: 3000,
    });
    expect(ids(known({}, after({ ...quick, model: 'small:1b' }, late)))).toEqual([]);
  });

  it('in which a tool took most of the time is no matter of the engine', () => {
    const call = anItem('tool', { tool: 'run_command', runMs: 45_000 });
    const finding = only(known({}, { ...after(aUsage()), items: [call] }));
    expect(finding).toMatchObject({ id: 'tools', costMs: 45_000, fixes: [] });
    expect(finding?.title).toContain('run_command');
  });
});

it('what lasts comes before what happened, and that by its cost', () => {
  const circumstances = known(
    { gpus: [gpu({ throttled: ['power'] })] },
    after(reread(300, { cause: 'date_changed', owner: 'andiron' }), aUsage({ loadMs: 9000 })),
  );
  expect(ids(circumstances)).toEqual(['throttled', 'loads', 'reread:date_changed:andiron']);
});

const turn = (id: string, over = {}) => aTurn({ id, usage: [aUsage()], ...over });

it('only the newest turns that were answered and still count are looked at', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => turn(id));
  expect(recentOf([...many, turn('x', { replaced: true }), aTurn({ id: 'y' })]).map(({ id }) => id)).toEqual([
    'c',
    'd',
    'e',
    'f',
    'g',
  ]);
});

describe('what can be done', () => {
  const owners: Reading['owner'][] = ['andiron', 'template', 'engine', 'other_program', 'person', null];
  const causes: RereadCause[] = ['checkpoint', 'reload', 'cache_evicted', 'rendering', 'unknown'];
  const kinds: Incident['kind'][] = [
    'reload',
    'evicted',
    'slot_lost',
    'wasted_warm_up',
    'refused_grammar',
    'other_program',
    'runner_died',
  ];
  const busy = [gpu({ utilization: 90, vramUsedBytes: 14 * gib, throttled: ['heat'] })];
  const lease = { id: 'l', model: 'qwen3:8b', purpose: 'turn' as const, label: 'Flaky', since: 0 };
  const slow = aUsage({ outputTokens: 100, outputMs: 60_000, promptMs: 60_000, loadMs: 9000 });
  const call = anItem('tool', { runMs: 50_000 });

  /** As little as possible is at hand: the model is kept already, no session, no profile, no advice. */
  const bare: [what: string, DiagnosisInput][] = [
    ...causes.flatMap((cause) =>
      owners.map((owner): [string, DiagnosisInput] => [
        `${cause} by ${owner ?? 'nobody'}`,
        known({ keepAlive: 'always' }, after(reread(4000, { cause, owner }))),
      ]),
    ),
    ...kinds.map((kind): [string, DiagnosisInput] => [
      `${kind} without advice`,
      known({ keepAlive: 'always', incidents: [incident({ kind, advice: '' })] }),
    ]),
    ['no GPU', known({ gpus: [], loaded: [model({ vramBytes: 0 })] })],
    ['a spill', known({ loaded: [model({ vramBytes: gib })] }, { profile: undefined, context: null })],
    ['a hot GPU that others use', known({ gpus: busy })],
    ['a turn that waits', known({ lease, queue: [{ ...lease, id: 'q' }] })],
    ['a slow turn', known({ keepAlive: 'always' }, { ...after(aUsage(), slow), items: [call] })],
    [
      'a full window',
      known(
        {},
        {
          context: { usedTokens: 16_000, windowTokens: 16_384, estimated: false },
          profile: undefined,
          sessionId: null,
        },
      ),
    ],
  ];

  it.each(bare)('is said by every finding: %s (audit-U12)', (_, circumstances) => {
    const found = findings(circumstances);
    expect(found).not.toEqual([]);
    expect(found.filter(({ help, fixes }) => help === '' && fixes.length === 0)).toEqual([]);
  });
});
