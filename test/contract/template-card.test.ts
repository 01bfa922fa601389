/**
 * The template card over the recorded renders: made from them it says what `facts.json` says, in every field that both
 * have, for every family.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { templateCardSchema, type Reach, type TemplateCard } from '../../src/host/prompt/card/card.ts';
import { policyOf } from '../../src/host/prompt/template-policy.ts';
import { probes } from '../../src/host/prompt/card/probes.ts';
import type { FamilyName } from '../../src/sim/render/index.ts';
import { cardFrom, probedFrom } from './recorded-cards.ts';
import { engineTruth, readRenders, type RecordedRender, type RenderRecords } from './records.ts';

const keptSchema = z.object({
  kept_in_loop: z.boolean().nullable(),
  first_of_turn_kept_in_loop: z.boolean().nullable(),
  kept_after_next_user_message: z.boolean(),
});
const factsSchema = z.record(
  z.string(),
  z.object({
    conversation: z.string(),
    head: z.string(),
    before_system: z.string(),
    first_assistant_turn: z.string().optional(),
    think_absent: keptSchema,
    think_true: z.union([keptSchema, z.literal('refused')]).optional(),
    think_false: z.union([keptSchema, z.literal('refused')]).optional(),
    absent_equals_true: z.boolean().optional(),
    absent_equals_false: z.boolean().optional(),
    argument_order: z.string().optional(),
    escapes: z.object({ html: z.string(), newline: z.string() }).optional(),
    numbers: z.object({ million: z.string().nullable(), big: z.string().nullable() }).optional(),
    ids_no_tool_call_id: z.string().optional(),
    ids_no_tool_name: z.string().optional(),
    ids_neither: z.string().optional(),
    two_users: z.string(),
    second_system: z.string(),
    text_and_call: z
      .object({ text: z.boolean(), call: z.boolean(), call_without_text: z.boolean() })
      .nullable(),
    tools_present_t1: z.boolean().optional(),
    tools_present_t2: z.boolean().optional(),
    refusals: z.record(z.string(), z.unknown()),
    notes: z.array(z.string()),
  }),
);
type Facts = z.infer<typeof factsSchema>[string];

const folder = engineTruth();
if (folder === undefined) {
  process.stdout.write('template card: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');
}
const records: RenderRecords | undefined = folder === undefined ? undefined : readRenders(folder);
const read = (name: string): string => readFileSync(join(folder ?? '', 'renders', name), 'utf8');
const facts = folder === undefined ? {} : factsSchema.parse(JSON.parse(read('facts.json')));
const names = Object.keys(facts);

/** The last message of a recorded conversation, by how far it goes. */
const newestPieces: Record<string, string> = { u1: 'user 1', t2: 'result 2', u2: 'user 2', u3: 'user 3' };

/** `family request` → how far back `think` off changes that prompt, as the table of prefixes says. */
const switches = new Map<string, Reach>(
  (folder === undefined ? '' : read('prefix-table.tsv')).split('\n').flatMap((line) => {
    const [family, kind, from, , chars, , lost, where = ''] = line.split('\t');
    if (kind !== 'think true -> false' || chars === '') return [];
    return [
      [
        `${family} ${from}`,
        lost === '0' ? 'nothing' : reachTold(where, newestPieces[from?.split('.').at(-1) ?? '']),
      ],
    ];
  }),
);

/** "after X, before Y": X is the piece in which the prompts part. */
function reachTold(where: string, newest: string | undefined): Reach {
  const piece = /^after (.*), before /.exec(where)?.[1] ?? '';
  if (['start', 'system text', 'tools', 'tools end'].includes(piece)) return 'head';
  return piece === newest ? 'end' : 'log';
}

function recordsOf(family: string): ReadonlyMap<string, RecordedRender> {
  return records?.family(family as FamilyName) ?? new Map<string, RecordedRender>();
}

const cardOf = (family: string): TemplateCard => cardFrom(family, recordsOf(family));

describe.skipIf(folder === undefined)('the template card from the records', () => {
  it('asks only what was recorded, word for word, key for key', () => {
    for (const { id, messages, tools, think } of probes) {
      const recorded = records?.requests.get(id);
      expect([id, JSON.stringify({ messages, tools, think })]).toEqual([
        id,
        JSON.stringify({
          messages: recorded?.messages,
          tools: recorded?.tools ?? [],
          think: recorded?.think,
        }),
      ]);
    }
  });

  it('has a record of every family', () => {
    const files = readdirSync(join(folder ?? '', 'renders')).filter((name) => name.endsWith('.json'));
    expect(files.length - 2).toBe(names.length);
    expect(names).toHaveLength(61);
  });

  it.each(names)('of %s equals the facts in every field', (family) => {
    const fact = facts[family];
    if (fact === undefined) throw new Error(family);
    expect(toldByCard(cardOf(family), fact)).toEqual(toldBy(fact));
  });

  it('is held against more than 25 facts of a model with tools, and against another family it fails', () => {
    const [qwen, gemma] = [facts['qwen3.5'], facts['gemma4-small']];
    if (!qwen || !gemma) throw new Error('a family is missing');
    expect(Object.keys(toldBy(qwen)).length).toBeGreaterThan(25);
    expect(toldByCard(cardOf('qwen3.5'), gemma)).not.toEqual(toldBy(gemma));
  });

  it.each(names)('of %s refuses what the facts say is refused', (family) => {
    const recorded = recordsOf(family);
    const reasons = Object.keys(facts[family]?.refusals ?? {});
    const unexplained = cardOf(family).refusals.filter((id) => {
      const render = recorded?.get(id);
      if (render === undefined || typeof render === 'string') return true;
      const known = render.error.includes('does not support thinking');
      return !known && !reasons.includes(`${render.status} ${render.error.slice(-100)}`);
    });
    expect(unexplained).toEqual([]);
  });

  it.each(names)('of %s knows how far back a switch of thinking reaches', (family) => {
    const { switchAtUser, switchInLoop, supported } = cardOf(family).thinking;
    const told = ['u1', 't2'].map((end) => switches.get(`${family} main.true.echo.${end}`));
    const ofCard = supported === true ? [switchAtUser, switchInLoop] : [];
    expect(ofCard.map((reach) => reach ?? undefined)).toEqual(supported === true ? told : []);
    expect(supported === true || told.every((reach) => reach === undefined)).toBe(true);
  });

  it('finds the tool list that moves with the last user message', () => {
    const moving = names.filter((name) => cardOf(name).tools.place === 'last user message');
    expect(moving).toEqual([
      'native-mistral-nemo',
      'native-mistral-small-3.2',
      'template-devstral',
      'template-last-user-own',
      'template-llama3.1',
      'template-mistral-nemo',
      'template-mistral-small-3.2',
    ]);
    expect(names.filter((name) => cardOf(name).tools.place === 'nowhere')).toEqual([
      'native-deepseek-r1-qwen',
    ]);
  });

  it('finds the templates that show one call of two', () => {
    expect(names.filter((name) => cardOf(name).twoCalls === 'one lost')).toEqual(['native-gpt-oss']);
  });

  it.each([
    ['one call per message', 'oneCallPerMessage', true, /^native-(llama3\.[123]|gpt-oss)$/],
    [
      'tools in the system text',
      'toolsInSystem',
      true,
      /^(olmo3-.*think|native-(deepseek-r1-qwen|phi-3\.5|smollm3)|template-(gemma3|phi4|last-user-own|llama3\.1|mistral-.*))$/,
    ],
    [
      'calls as text',
      'callsAsText',
      true,
      /^(olmo3-.*think|native-(deepseek-r1-qwen|lfm2|phi-3\.5|smollm3)|template-(gemma3|phi4|last-user-own|llama3\.1|mistral-.*))$/,
    ],
    ['system text in the first user message', 'systemInFirstUser', true, /^(native|template)-mistral-nemo$/],
    [
      'no text beside a call',
      'textBesideCall',
      false,
      /^(cohere|glimmer|gemma4-.*|lfm2.*|native-(gemma4.*|deepseek-r1-qwen|lfm2|llama3.*|mistral-.*)|template-(llama3\.1|devstral|granite3\.2|mistral-.*|qwen.*))$/,
    ],
    [
      'strict roles',
      'rolesAlternate',
      true,
      /^(native-(mini|mi)stral-.*|olmo3-.*think|native-(phi-3\.5|smollm3)|template-(gemma3|phi4))$/,
    ],
  ] as const)('decides for %s', (_what, field, value, expected) => {
    const decided = names.filter((name) => policyOf(cardOf(name))[field] === value);
    expect(decided).toEqual(names.filter((name) => expected.test(name)));
  });

  it('lets think change between turns exactly where the next question then re-reads nothing before it', () => {
    const supported = names.filter((name) => cardOf(name).thinking.supported === true);
    const free = supported.filter((name) => policyOf(cardOf(name)).thinkSwitch !== 'never');
    const withTools = supported.filter((name) => switches.has(`${name} main.true.echo.u2`));
    const told = withTools.filter((name) =>
      ['nothing', 'end'].includes(switches.get(`${name} main.true.echo.u2`) ?? ''),
    );
    expect(free).toEqual(told);
  });

  it('survives being stored', () => {
    for (const name of names) {
      const card = cardOf(name);
      expect(templateCardSchema.parse(JSON.parse(JSON.stringify(card)))).toEqual(card);
    }
  });

  it('asks no model more than 25 times', () => {
    const counts = names.map((name) => probedFrom(recordsOf(name)).size);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
  });
});

/** A field that a family's facts lack (undefined) or could not read (null) is compared with nothing. */
function known(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  );
}

const conversations: Record<string, TemplateCard['conversation']> = {
  'main.absent.echo': 'any',
  id9: 'nine-character ids',
  'single.absent.echo': 'one call per message',
  'chat.absent.echo': 'no tools',
};

/** The facts in the card's words. */
function toldBy(fact: Facts): Record<string, unknown> {
  const withTools = fact.conversation !== 'chat.absent.echo';
  const turn = fact.first_assistant_turn;
  return known({
    conversation: conversations[fact.conversation],
    order: fact.head.split(' < ').map((name) => name.replace(/ (text|1)$/, '')),
    toolsInLoop: fact.tools_present_t2,
    toolsAfterFirstResult: fact.tools_present_t1,
    systemInLoop: fact.head.includes('system text'),
    thinkingSupported: fact.think_true && fact.think_true !== 'refused',
    thinkingByDefault: thinkingTold(fact.think_absent),
    // Every thinking model thinks by default: what is kept then is what is kept with `think:true`.
    thinkingOn: fact.think_true && fact.think_true !== 'refused' && thinkingTold(fact.think_true),
    thinkingOff: offTold(fact),
    defaultIsOn: fact.absent_equals_true,
    defaultIsOff: fact.absent_equals_false,
    textPlace: turn && placeTold(turn, fact.text_and_call?.call ?? true),
    text: fact.text_and_call?.text,
    callWithText: fact.text_and_call?.call,
    callAlone: fact.text_and_call?.call_without_text,
    twoCallsRefused: withTools ? fact.conversation === 'single.absent.echo' : undefined,
    secondSystem: withTools ? fact.second_system.replace(/( \(|, ).*/, '') : undefined,
    userAfterUserRefused: withTools ? /^\d{3} /.test(fact.two_users) : undefined,
    noCallId: fact.ids_no_tool_call_id?.replace(/:.*/s, ''),
    noToolName: fact.ids_no_tool_name?.replace(/:.*/s, ''),
    neither: fact.ids_neither?.replace(/:.*/s, ''),
    argumentOrder: fact.argument_order,
    html: { raw: 'raw', '\\u003c': 'escaped' }[fact.escapes?.html ?? ''],
    newline: { raw: 'raw', '\\n': 'escaped' }[fact.escapes?.newline ?? ''],
    million: fact.numbers?.million,
    hugeInteger: fact.numbers?.big && hugeIntegerTold(fact.numbers.big),
    date: dateTold(fact),
    bos: bosMarks.find((mark) => fact.before_system.startsWith(mark)) ?? '',
  });
}

const bosMarks = ['<bos>', '<|begin_of_text|>', '<|startoftext|>', '<｜begin▁of▁sentence｜>', '〈|EOS|〉'];

function thinkingTold(kept: z.infer<typeof keptSchema>): TemplateCard['thinking']['byDefault'] {
  return {
    inLoop: kept.kept_in_loop,
    firstInLoop: kept.first_of_turn_kept_in_loop,
    afterNextUser: kept.kept_after_next_user_message,
  };
}

/** With one call per message the card does not ask again without thinking: no such template shows any. */
function offTold(fact: Facts): unknown {
  if (fact.conversation === 'single.absent.echo' || typeof fact.think_false !== 'object') return undefined;
  return thinkingTold(fact.think_false);
}

/** The facts find a lost call's words in its result; where the call is lost it has no place. */
function placeTold(turn: string, callShown: boolean): string {
  const places = turn.split(' < ');
  const [text, result] = [places.indexOf('text 1'), places.indexOf('result')];
  if (text < 0) return 'dropped';
  if (text > result) return 'after result';
  return callShown && text > places.indexOf('call 1') ? 'after call' : 'before call';
}

function hugeIntegerTold(spelled: string): TemplateCard['arguments']['hugeInteger'] {
  if (spelled === '12345678901234567000') return 'rounded';
  return spelled === '1.2345678901234567e+19' ? 'exponent' : 'garbage';
}

function dateTold({ notes }: Facts): TemplateCard['date'] {
  const dated = (request: string): boolean => notes.some((note) => note.startsWith(`date: ${request} `));
  if (dated('main.absent.echo.u1')) return 'always';
  return dated('shape.no_system_no_tools') ? 'without system text' : 'never';
}

/** The card in the same words, as far as the facts speak of it. */
function toldByCard(card: TemplateCard, fact: Facts): Record<string, unknown> {
  const all: Record<string, unknown> = {
    conversation: card.conversation,
    order: card.order,
    toolsInLoop: card.tools.inLoop,
    toolsAfterFirstResult: card.tools.inLoop,
    systemInLoop: card.systemInLoop,
    thinkingSupported: card.thinking.supported,
    thinkingByDefault: card.thinking.byDefault,
    thinkingOn: card.thinking.supported && card.thinking.byDefault,
    thinkingOff: card.thinking.off,
    defaultIsOn: card.thinking.defaultIsOn,
    defaultIsOff: card.thinking.defaultIsOff,
    textPlace: card.textBesideCall.place,
    text: card.textBesideCall.place !== 'dropped',
    callWithText: card.textBesideCall.callWithText,
    callAlone: card.textBesideCall.callAlone,
    twoCallsRefused: card.twoCalls === 'refused',
    secondSystem: card.secondSystem,
    userAfterUserRefused: card.userAfterUserRefused,
    ...card.ids,
    argumentOrder: card.arguments.order,
    html: card.arguments.html,
    newline: card.arguments.newline,
    million: card.arguments.million,
    hugeInteger: card.arguments.hugeInteger,
    date: card.date,
    bos: card.bos,
  };
  return Object.fromEntries(Object.keys(toldBy(fact)).map((field) => [field, all[field]]));
}
