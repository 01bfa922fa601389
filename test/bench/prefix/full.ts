/**
 * The long conversation: 60 turns with everything that an agent does to its own prompt. Plans until half of it, where
 * that flag is changed, goal anchors, two subagents, a stop and its resumption, a restart. A summary comes when the
 * window is full; a model whose window is smaller makes several.
 */
import type { ProfileFile } from '../../../src/protocol/model.ts';
import { Chance } from './chance.ts';
import {
  answering,
  call,
  calling,
  makeConversation,
  type Conversation,
  type ScriptedReply,
  type ScriptedTurn,
} from './conversation.ts';

const turns = 60;
/** Is full once on the way. */
export const fullWindow = 180_224;

export const fullProfile: Partial<ProfileFile> = {
  planningEnabled: true,
  planningPhase2Enabled: true,
  goalAnchoringEnabled: true,
  goalAnchoringInterval: 3,
  // What a summary keeps is read again: 8 of 60 turns are more than the whole figure allows.
  keepRecentTurns: 1,
};

const at = { firstAgent: 14, secondAgent: 38, stop: 21, resume: 22, change: 30, restart: 45 };
const plannedEvery = 6;

export function makeFullConversation(seed: number): Conversation {
  const { files, turns: plain } = makeConversation(seed, turns);
  const chance = new Chance(seed + 1_000_000);
  const paths = Object.keys(files);
  return { files, turns: plain.map((turn, index) => withEvents(withPlan(turn, index, chance), index)) };

  function withEvents(turn: ScriptedTurn, index: number): ScriptedTurn {
    switch (index) {
      case at.firstAgent:
      case at.secondAgent:
        return withAgent(turn, chance.pick(paths), chance);
      case at.stop:
        return stopped(turn);
      case at.resume:
        return { ...turn, user: `Go on. ${turn.user}` };
      case at.change:
        return {
          ...turn,
          before: { do: 'profile', changes: { planningEnabled: false, goalAnchoringInterval: 4 } },
        };
      case at.restart:
        return { ...turn, before: { do: 'restart' } };
      default:
        return turn;
    }
  }
}

/** Where no tools are sent as such, a model that means DIRECT cannot say it by a call. */
export function withoutCallAtOnce(turns: readonly ScriptedTurn[]): ScriptedTurn[] {
  return turns.map((turn, index) =>
    index >= at.change || turn.replies[0]?.what.startsWith('plan') === true
      ? turn
      : { ...turn, replies: [direct(''), ...turn.replies] },
  );
}

/** Every sixth message is worth a plan, every other plan a review; the others are begun at once, or after a word. */
function withPlan(turn: ScriptedTurn, index: number, chance: Chance): ScriptedTurn {
  if (index >= at.change) return turn;
  if (index % plannedEvery !== 0)
    return index % 2 === 0 ? turn : { ...turn, replies: [direct(chance.paragraph(15)), ...turn.replies] };
  const reviewed = index % (2 * plannedEvery) === 0;
  const names = turn.replies.flatMap(({ calls }) => calls.map(({ name }) => name));
  const steps = [...names.map((name) => `TOOL: ${name}`), 'SELF'];
  const list = steps.map((who, step) => `${step + 1}. ${chance.sentence(6)} - ${who}`).join('\n');
  const analysis = [
    `Goal: ${chance.sentence(10)}`,
    `Known: ${chance.sentence(8)}`,
    `To find out: ${chance.sentence(8)}`,
    `Risks: ${chance.sentence(6)}`,
    `REFLECT: ${reviewed ? 'yes' : 'no'}`,
  ].join('\n');
  const review = ['Critic', 'Pragmatist', 'Detailer', 'Plan Adjustments']
    .map((title) => `**${title}:** ${chance.sentence(12)}`)
    .join('\n');
  const plan = `**Steps:**\n**M1: ${chance.sentence(3)}**\n${list}`;
  return {
    ...turn,
    replies: [
      said('plan: analysis', analysis, chance),
      ...(reviewed ? [said('plan: review', review, chance)] : []),
      said('plan: steps', plan, chance),
      ...turn.replies,
    ],
  };
}

const direct = (thinking: string): ScriptedReply => ({
  what: 'plan: direct',
  thinking,
  text: 'DIRECT',
  calls: [],
});

const said = (what: string, text: string, chance: Chance): ScriptedReply => ({
  what,
  thinking: chance.paragraph(30),
  text,
  calls: [],
});

/** Before its answer it gives one part to a subagent. */
function withAgent(turn: ScriptedTurn, path: string, chance: Chance): ScriptedTurn {
  const task = `Say which function of ${path} is the longest. ${chance.sentence(10)}`;
  const briefing = `${path} is one of the sources. ${chance.sentence(8)}`;
  const replies: ScriptedReply[] = [
    calling(chance, '', call('read_file', { path })),
    calling(chance, '', call('search', { pattern: 'export', path })),
    answering(chance),
  ];
  return {
    ...turn,
    replies: [
      ...turn.replies.slice(0, -1),
      calling(chance, '', call('spawn_agent', { task, briefing })),
      ...replies.map((each) => ({ ...each, what: `agent: ${each.what}`, isAgents: true as const })),
      { ...answering(chance), what: 'answer after the agent' },
    ],
  };
}

function stopped(turn: ScriptedTurn): ScriptedTurn {
  const replies = turn.replies.map((each, index): ScriptedReply =>
    index === turn.replies.length - 1
      ? { ...each, what: 'stopped answer', text: each.text.slice(0, 120), isStopped: true }
      : each,
  );
  return { ...turn, replies };
}
