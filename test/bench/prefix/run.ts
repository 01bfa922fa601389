/** The benchmark as a function: for the command line, and for the test that runs its short form. */
import type { ProfileFile } from '../../../src/protocol/model.ts';
import { everyFamily, type FamilyName } from '../../../src/sim/render/index.ts';
import { makeConversation, withOneCall, withoutProse, type Conversation } from './conversation.ts';
import {
  familyFigures,
  gatesOf,
  holds,
  overallFigures,
  type FamilyFigures,
  type Form,
  type Gate,
} from './figures.ts';
import { fullProfile, fullWindow, makeFullConversation, withoutCallAtOnce } from './full.ts';
import { measure } from './measure.ts';
import type { RawPolicy } from './raw-client.ts';

const turns = 20;
/** One of each kind of work. */
const quickTurns = 5;
/** Nothing overflows in it. */
const wideWindow = 131_072;

export const familyNames: readonly FamilyName[] = [...everyFamily.keys()];

/** Models that write one call at a time, or are asked by a grammar that allows one. */
const oneCall: ReadonlySet<FamilyName> = new Set([
  'template-llama3.1',
  'template-gpt-oss',
  'template-gemma3',
  'native-llama3.1',
]);
/** Asked for every call by a grammar. */
const constrained: ReadonlySet<FamilyName> = new Set(['template-llama3.1', 'template-gemma3']);

export interface PrefixResult {
  families: FamilyFigures[];
  figures: Record<string, number>;
  gates: Gate[];
  passed: boolean;
}

export async function runPrefixBench(options: { seed: number; form: Form }): Promise<PrefixResult> {
  const { seed, form } = options;
  const families: FamilyFigures[] = [];
  for (const name of familyNames) families.push(await measureFamily(name, seed, form));
  return resultOf(families, form);
}

export async function measureFamily(name: FamilyName, seed: number, form: Form): Promise<FamilyFigures> {
  const full = form === 'full';
  const conversation = full
    ? makeFullConversation(seed)
    : makeConversation(seed, form === 'quick' ? quickTurns : turns);
  const profile: Partial<ProfileFile> = full
    ? { ...fullProfile, contextTokens: fullWindow }
    : { contextTokens: wideWindow };
  const spoken = { ...conversation, turns: asWrittenBy(name, conversation.turns) };
  return familyFigures(
    await measure(name, { conversation: spoken, policies: policiesFor(name, form), profile, seed }),
  );
}

export function resultOf(families: FamilyFigures[], form: Form): PrefixResult {
  const figures = rounded(overallFigures(families, form));
  const gates = gatesOf(figures, form);
  return { families, figures, gates, passed: gates.every(holds) };
}

/** A Go template's parser takes a call behind prose for prose. */
export function asWrittenBy(name: FamilyName, all: Conversation['turns']): Conversation['turns'] {
  const quiet = everyFamily.get(name)?.path === 'template' ? withoutProse(all) : all;
  const single = oneCall.has(name) ? withOneCall(quiet) : quiet;
  const isPlanned = all.some(({ replies }) => replies.some(({ what }) => what.startsWith('plan')));
  return constrained.has(name) && isPlanned ? withoutCallAtOnce(single) : single;
}

/** The clients that a best possible one is chosen from with hindsight, and the one that tells the time. */
export function policiesFor(name: FamilyName, form: Form): RawPolicy[] {
  const family = everyFamily.get(name);
  const thinks = family?.capabilities.includes('thinking') ?? false;
  const speaksBesideCalls = family?.path !== 'template';
  const clients = (thinks ? [true, false] : [false]).flatMap((echoThinking) =>
    (speaksBesideCalls ? [true, false] : [true]).map((textBesideCall) => ({
      echoThinking,
      textBesideCall,
      clock: false,
    })),
  );
  return form === 'full' ? clients : [...clients, { echoThinking: true, textBesideCall: true, clock: true }];
}

function rounded(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}
