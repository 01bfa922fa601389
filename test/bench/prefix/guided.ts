/**
 * What a model that opens its turns is made to read, beside one that is asked under a grammar without openings: the same
 * conversation, each on an engine of its own. It is in no figure of the families, whose models pay nothing.
 */
import { asksForOpening, openingOf } from '../../../src/sim/script/scripted-acts.ts';
import { type Script } from '../../../src/sim/index.ts';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import { World } from '../../helpers/host-world.ts';
import { abilitiesWithoutOpening, knownAbilities } from '../../helpers/proven-models.ts';
import { conduct } from '../real/conduct.ts';
import {
  makeConversation,
  withOneCall,
  withoutProse,
  type Conversation,
  type ScriptedTurn,
} from './conversation.ts';
import { inForm, Player } from './player.ts';

const family: FamilyName = 'template-qwen2.5';
const card = { parameterSize: '494M' };
const windowTokens = 131_072;
/** More would not fit into the window: a summary would come on one side and not on the other. */
const turns = 6;
const speed = 1e6;
const roomForAll = { totalBytes: 96 * 2 ** 30, otherBytes: 0 };
/** A turn that takes longer hangs. */
const capMs = 60_000;

type Kind = 'opening' | 'step';

/** Tokens that one request made the engine read. */
interface Asked {
  turn: number;
  kind: Kind;
  evaluated: number;
}

/** Tokens; means of all turns but the first, which reads the head. */
export interface GuidedFigures {
  /** One opening: its message is read with it. */
  guided_opening: number;
  /** One call or answer behind it. */
  guided_step: number;
  /** Whole turns with openings ÷ without. */
  guided_waited: number;
}

export async function measureGuided(seed: number): Promise<GuidedFigures> {
  const made = makeConversation(seed, turns);
  const conversation = { ...made, turns: withOneCall(withoutProse(made.turns)).filter(fitsSteps) };
  const guided = await converse(conversation, true);
  const unguided = await converse(conversation, false);
  const of = (kind: Kind): number[] =>
    later(guided).flatMap((each) => (each.kind === kind ? each.evaluated : []));
  return {
    guided_opening: mean(of('opening')),
    guided_step: mean(of('step')),
    guided_waited: total(later(guided)) / total(later(unguided)),
  };
}

async function converse({ files, turns }: Conversation, isGuided: boolean): Promise<Asked[]> {
  const player = new Player();
  const script: Script = (request) => {
    if (request.endpoint !== 'chat' || !asksForOpening(request)) return player.script(request);
    return openingOf(player.due.map((each) => inForm(each, request)));
  };
  const models = [{ name: `${family}:bench`, family, card }];
  const known = isGuided ? knownAbilities : abilitiesWithoutOpening;
  const sim = { models, script, gpu: roomForAll, refuseUnpaired: true, speed };
  const world = await World.start({ files, sim, known });
  try {
    const { rpc } = world.openWindow();
    const changes = { contextTokens: windowTokens };
    const { profile } = await rpc.call('profile/update', { profileId: 'developer', changes });
    const view = await world.openSession(profile.id);
    const asked: Asked[] = [];
    let seen = 0;
    for (const [turn, { user, replies }] of turns.entries()) {
      player.begin(replies);
      const { turn: ended } = await conduct(view, user, capMs);
      await world.rest();
      if (ended.status !== 'finished') throw new Error(`The turn is ${ended.status}: ${user}`);
      const chats = world.sim.truth.requests.filter(
        ({ endpoint, promptTokens }) => endpoint === '/api/chat' && promptTokens > 0,
      );
      for (const { body, evaluated } of chats.slice(seen))
        asked.push({
          turn,
          kind: asksForOpening({ format: formatOf(body) }) ? 'opening' : 'step',
          evaluated,
        });
      seen = chats.length;
    }
    return asked;
  } finally {
    await world.close();
  }
}

/** Turns that only look and write: what an edit may replace is in no script. */
const fitsSteps = ({ replies }: ScriptedTurn): boolean =>
  replies.every(({ what }) =>
    ['search', 'read_file', 'glob', 'list_files', 'write_file', 'answer'].includes(what),
  );

function formatOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'format' in body ? body.format : undefined;
}

const later = (asked: readonly Asked[]): Asked[] => asked.filter(({ turn }) => turn > 0);
const total = (asked: readonly Asked[]): number => asked.reduce((sum, { evaluated }) => sum + evaluated, 0);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
