/** The template card over the wire: a simulated engine that is probed gives the card of the records it was built after. */
import { describe, expect, it } from 'vitest';
import type { TemplateCard } from '../../src/host/prompt/card/card.ts';
import { makeCard } from '../../src/host/prompt/card/make-card.ts';
import { probeTemplate, type AskForRender } from '../../src/host/prompt/card/probe-template.ts';
import { tellsMore, probes, type Render } from '../../src/host/prompt/card/probes.ts';
import { policyOf } from '../../src/host/prompt/template-policy.ts';
import type { ContextMessage, HistoryPolicy, PromptHead } from '../../src/host/providers/provider.ts';
import { toWireMessages, toWireTools } from '../../src/host/providers/wire.ts';
import { renderPrompt } from '../../src/ollama/render.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { everyFamily, type Family, type FamilyName, type Message } from '../../src/sim/render/index.ts';
import { withSim } from '../helpers/sim.ts';
import { engineTruth, readRenders } from './records.ts';

const folder = engineTruth();
if (folder === undefined) {
  process.stdout.write('template probe: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');
}

const model = 'probed:latest';
const plan = { model, options: { num_ctx: 8192 }, shift: false } as const;
const asker =
  (url: string): AskForRender =>
  ({ messages, tools, think }, signal) =>
    renderPrompt({ url, plan, messages, tools, think, clock: systemClock, signal });

function recordedCard(name: FamilyName) {
  const recorded = readRenders(folder ?? '').family(name);
  const renders = new Map<string, Render>();
  for (const probe of probes.filter((each) => recorded.has(each.id))) {
    if (!tellsMore(probe, renders)) continue;
    const render = recorded.get(probe.id);
    if (typeof render === 'string') renders.set(probe.id, { prompt: render });
    else if (render) renders.set(probe.id, { refused: render.error });
  }
  return makeCard(renders);
}

describe.skipIf(folder === undefined)('a probed engine', () => {
  it.each([...everyFamily.keys()])('of family %s gives the card of its records', async (family) => {
    await withSim({ models: [{ name: model, family }] }, async (sim) => {
      const card = await probeTemplate(asker(sim.url), new AbortController().signal);
      expect(card).toEqual(recordedCard(family));
    });
  });
});

describe('probing', () => {
  it('asks with the load plan to the letter, so nothing is loaded twice or generated', async () => {
    await withSim({ models: [{ name: model, family: 'qwen3.5' }] }, async ({ url, truth }) => {
      await probeTemplate(asker(url), new AbortController().signal);
      expect(truth.loads).toHaveLength(1);
      expect(truth.violations).toEqual([]);
      for (const { body, generated, outcome } of truth.requests) {
        expect(body).toMatchObject({
          options: { num_ctx: 8192 },
          stream: false,
          truncate: false,
          shift: false,
          _debug_render_only: true,
        });
        expect(body).not.toHaveProperty('keep_alive');
        expect([generated, outcome]).toEqual([0, 'done']);
      }
      expect(truth.requests.length).toBeGreaterThan(20);
      expect(truth.requests.length).toBeLessThanOrEqual(25);
    });
  });

  it('makes no card of a model that is no model to talk to', async () => {
    await withSim({ models: [{ name: model, family: 'qwen3.5', capabilities: [] }] }, async (sim) => {
      expect(await probeTemplate(asker(sim.url), new AbortController().signal)).toBeNull();
      expect(sim.truth.requests).toHaveLength(1);
    });
  });

  it('says that a model is missing instead of making a card of it', async () => {
    await withSim({ models: [] }, async (sim) => {
      await expect(probeTemplate(asker(sim.url), new AbortController().signal)).rejects.toMatchObject({
        code: 'model_missing',
      });
    });
  });
});

/** Every word of it is found in a prompt only if its message is. */
const conversation: readonly ContextMessage[] = [
  { role: 'user', content: 'task-one' },
  {
    role: 'assistant',
    content: 'Looking.',
    thinking: 'Two at once.',
    calls: [
      { id: 'tool_0000000000a1', name: 'look', args: { path: 'call-one' } },
      { id: 'tool_0000000000a2', name: 'look', args: { path: 'call-two' } },
    ],
  },
  { role: 'tool', callId: 'tool_0000000000a1', tool: 'look', content: 'result-one' },
  { role: 'tool', callId: 'tool_0000000000a2', tool: 'look', content: 'result-two' },
  {
    role: 'assistant',
    content: '',
    thinking: '',
    calls: [{ id: 'tool_0000000000a3', name: 'look', args: { path: 'call-three' } }],
  },
  { role: 'tool', callId: 'tool_0000000000a3', tool: 'look', content: 'result-three' },
  { role: 'assistant', content: 'answer-one', thinking: '', calls: [] },
  { role: 'user', content: 'task-two' },
  {
    role: 'assistant',
    content: 'Again.',
    thinking: '',
    calls: [{ id: 'tool_0000000000a4', name: 'look', args: { path: 'call-four' } }],
  },
  { role: 'tool', callId: 'tool_0000000000a4', tool: 'look', content: 'result-four' },
];
const head: PromptHead = {
  system: 'system-words',
  tools: [
    {
      name: 'look',
      description: 'tool-words',
      schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
};
const markers = (messages: readonly ContextMessage[]): string[] => [
  head.system,
  ...head.tools.map(({ description }) => description),
  ...(JSON.stringify(messages).match(/(?:task|call|result|answer)-\w+/g) ?? []),
];

describe('by the policy of its card', () => {
  const shown = [...everyFamily.values()].filter(({ capabilities }) => capabilities.includes('tools'));

  it.each(shown)(
    '$name sees every call, result and tool of a session, and refuses nothing',
    async (family) => {
      const policy = policyOf(await cardOf(family));
      // Where a grammar writes the calls they go back as it wrote them.
      expect(policy).toMatchObject({ callsAsText: policy.toolsInSystem, systemInFirstUser: false });
      expect(lostOf(family, policy)).toEqual([]);
    },
  );

  it('a template that loses a call over the text beside it would lose it without that policy', async () => {
    const qwen = familyOf('template-qwen2.5');
    const policy = policyOf(await cardOf(qwen));
    expect(policy.textBesideCall).toBe(false);
    expect(lostOf(qwen, { ...policy, textBesideCall: true })).toContain('call-one');
  });

  it('a model without tools gets calls and results as text', async () => {
    expect(policyOf(await cardOf(familyOf('template-gemma3')))).toMatchObject({
      toolsInSystem: true,
      callsAsText: true,
    });
  });
});

function familyOf(name: FamilyName): Family {
  const family = everyFamily.get(name);
  if (!family) throw new Error(`${name} is not simulated`);
  return family;
}

/** What the model does not see, or by what it is refused, over all requests of the conversation. */
function lostOf(family: Family, policy: HistoryPolicy): string[] {
  const requests = conversation.flatMap((message, index) =>
    message.role !== 'assistant' && conversation[index + 1]?.role !== 'tool'
      ? [conversation.slice(0, index + 1)]
      : [],
  );
  return requests.flatMap((log) => {
    const messages = toWireMessages(head, log, policy) as Message[];
    const rendered = family.render({ model, messages, tools: toWireTools(head, policy) });
    if (!rendered.ok) return [rendered.error];
    return markers(log).filter((marker) => !rendered.text.includes(marker));
  });
}

async function cardOf(family: Family): Promise<TemplateCard> {
  const card = await probeTemplate(async ({ messages, tools, think }) => {
    if (tools.length > 0 && !family.capabilities.includes('tools')) return { refused: 'no tools' };
    const rendered = family.render({ model, messages: messages as readonly Message[], tools, think });
    return rendered.ok ? { prompt: rendered.text } : { refused: rendered.error };
  }, new AbortController().signal);
  if (!card) throw new Error(`no card of ${family.name}`);
  return card;
}
