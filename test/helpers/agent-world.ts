/** `TurnWorld` with subagents: other profiles and models, a clock that can be skipped, and one GPU that is counted. */
import type { TurnEvent } from '../../src/protocol/events.ts';
import type { AgentRun, Item, ModelInfo, Profile, ToolItem } from '../../src/protocol/model.ts';
import type { ActiveProfile, EngineAccess, Lease } from '../../src/host/loop/deps.ts';
import type { Ports } from '../../src/host/loop/ports.ts';
import { buildHead } from '../../src/host/prompt/head.ts';
import { runEphemeral } from '../../src/host/subagents/run-ephemeral.ts';
import { createRunningCalls } from '../../src/host/subagents/running-calls.ts';
import { listProfilesTool } from '../../src/host/tools/list-profiles.ts';
import { spawnAgentTool } from '../../src/host/tools/spawn-agent.ts';
import { switchProfileTool } from '../../src/host/tools/switch-profile.ts';
import { ToolFailure } from '../../src/host/tools/tool.ts';
import { allTools } from './proven-models.ts';
import { skippableClock } from './skippable-clock.ts';
import { call, done, model, profile, text, TurnWorld, type ScriptedReply } from './turn-world.ts';

export const persona = 'You are Andiron.';
export const parentTools = ['echo', 'touch', 'spawn_agent', 'switch_profile', 'list_profiles'];

/** A call of `spawn_agent`; the model counts its ids up by itself, as some do. */
export const spawn = (args: Record<string, unknown> = {}, id = 'call_0') =>
  call('spawn_agent', { task: 'Find the bug.', briefing: 'It is in a.ts.', ...args }, id);

export class AgentWorld extends TurnWorld {
  override readonly clock = skippableClock();
  readonly running = createRunningCalls();
  readonly profiles = new Map<string, Profile>();
  readonly journal: string[] = [];
  /** Models in the order in which the GPU was granted and given back: `+a`, `-a`. */
  readonly gpu: string[] = [];
  /** Fails or waits in the place of the engine, before it grants. */
  onAcquire: (model: string, signal: AbortSignal) => Promise<void> = async () => undefined;
  #held = 0;

  constructor(...replies: ScriptedReply[]) {
    super(...replies);
    this.use(profile({ tools: parentTools }));
    this.active = profile({ tools: parentTools });
  }

  /** One more profile that there is. */
  use(added: Profile): void {
    this.profiles.set(added.id, added);
  }

  override ports(): Ports {
    const ports = super.ports();
    const tools = new Map([
      ...ports.tools.tools,
      ...[spawnAgentTool(), switchProfileTool(), listProfilesTool()].map(
        (tool) => [tool.name, tool] as const,
      ),
    ]);
    const head = (from: Profile) => buildHead(from, persona, tools);
    const heads = {
      profiles: () => [...this.profiles.values()],
      fresh: (id: string) => {
        const found = this.profiles.get(id);
        return found && { profile: found, head: head(found), toolsets: allTools, think: found.think };
      },
    };
    return {
      model: {
        ...ports.model,
        engine: this.#oneGpu(ports.model.engine),
        active: (): ActiveProfile => ({
          profile: this.active,
          head: head(this.active),
          toolsets: allTools,
          think: this.active.think,
          pinnedModel: null,
        }),
      },
      history: {
        ...ports.history,
        journal: {
          started: ({ id }) => {
            if (this.journal.includes(id)) throw new Error(`The id ${id} stands in the journal twice.`);
            this.journal.push(id);
          },
          ended: () => undefined,
        },
      },
      tools: {
        ...ports.tools,
        tools,
        agents: (parent, itemId) => ({
          spawn: (request, callId, signal) =>
            runEphemeral(request, { parent, itemId, callId, heads, running: this.running }, signal),
        }),
        profiles: {
          list: () =>
            heads.profiles().map(({ id, name, description }) => ({
              id,
              name,
              description,
              current: id === this.active.id,
            })),
          switchTo: (id) => {
            const to = this.profiles.get(id);
            if (!to) throw new ToolFailure(`there is no profile ${id}.`);
            this.active = to;
          },
        },
      },
      out: { ...ports.out, clock: this.clock },
    };
  }

  /** The real one is serial: who asks while another holds it waits for ever, so that is an error here. */
  #oneGpu(engine: EngineAccess): EngineAccess {
    return {
      ...engine,
      chooseModel: async (chosen, pinned, signal) => {
        const name = pinned ?? chosen.models[0];
        return name === undefined ? engine.chooseModel(chosen, pinned, signal) : named(name);
      },
      acquire: async (request, onWait, signal) => {
        if (this.#held > 0) throw new Error('The GPU is held already: this would wait for ever.');
        await this.onAcquire(request.model, signal);
        const lease = await engine.acquire(request, onWait, signal);
        this.#held += 1;
        this.gpu.push(`+${request.model}`);
        return this.#counted(lease);
      },
    };
  }

  #counted(lease: Lease): Lease {
    return {
      ...lease,
      release: (failed) => {
        this.#held -= 1;
        this.gpu.push(`-${lease.model.name}`);
        lease.release(failed);
      },
    };
  }

  /** The last that was told of each subagent. */
  agents(): AgentRun[] {
    const last = new Map<string, AgentRun>();
    for (const event of this.events)
      if (event.type === 'agent/changed') last.set(event.agent.id, event.agent);
    return [...last.values()];
  }

  /** What came of the n-th call of the parent. */
  result(tool = 'spawn_agent', nth = 0): string {
    const results = this.messages.flatMap((each) =>
      each.role === 'tool' && each.tool === tool ? [each] : [],
    );
    return results[nth]?.content ?? '';
  }

  nested(): Item[] {
    return this.items().filter((item) => item.parentCallId !== undefined);
  }
}

const named = (name: string): ModelInfo => ({ ...model, name });

/** What must hold however a turn with subagents ended. */
export function problemsOf(world: AgentWorld): string[] {
  const { events } = world;
  const opened = new Map<string, Item>();
  const started = (item: Item): unknown => item.completedAt === null && opened.set(item.id, item);
  let endedAgents = 0;
  for (const event of events) {
    if (event.type === 'item/started') started(event.item);
    if (event.type === 'item/completed' || event.type === 'tool/finished') opened.delete(event.itemId);
    if (event.type === 'agent/changed' && event.agent.state === 'ended') endedAgents += 1;
  }
  const left = [...opened.values()].filter(
    (item): item is ToolItem | Item => item.parentCallId !== undefined,
  );
  const closed = events.findIndex((event: TurnEvent) => event.type === 'turn/closed');
  return [
    ...(world.leases === world.released ? [] : [`leases ${world.gpu.join(' ')}`]),
    ...left.map((item) => `${item.kind} of a subagent was left open`),
    ...(endedAgents === world.agents().length ? [] : ['a subagent did not end, or ended twice']),
    ...(closed === events.length - 1 ? [] : ['something was told after the turn was closed']),
  ];
}

/** The parent spawns, the subagent does this, the parent answers. */
export function agentTurn(subagent: ScriptedReply[], args: Record<string, unknown> = {}): AgentWorld {
  return new AgentWorld([spawn(args), done()], ...subagent, [text('All is well.'), done()]);
}

export const answer: ScriptedReply = [text('It is line 7.'), done({ outputTokens: 5 })];

export function other(changes: Partial<Profile> = {}): Profile {
  return profile({
    id: 'other',
    name: 'Other',
    systemPrompt: 'You are another.',
    tools: ['echo'],
    ...changes,
  });
}
