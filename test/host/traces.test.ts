/** The trace that the source documents give (O1), to the letter; `inbox-traces.test.ts` has O2 and O3. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createOllamaProvider } from '../../src/host/providers/ollama.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { withSim } from '../helpers/sim.ts';
import { assertValidHistory, model, profile, TurnWorld } from '../helpers/turn-world.ts';

const question = "What's the disk usage of /var?";
const answer = 'The disk usage of /var is 512 MB.';

it('O1: the disk usage of /var', async () => {
  const ran: string[] = [];
  const runShell = defineTool({
    name: 'run_shell',
    description: 'Run a command in a shell.',
    parameters: z.object({ command: z.string() }),
    mutates: false,
    retrySafe: false,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: ({ command }) => command,
    need: ({ command }) => ({
      risk: 'read',
      summary: command,
      mutates: '',
      sandboxed: false,
      scopes: ['once'],
    }),
    async execute({ command }) {
      ran.push(command);
      return { ok: true, content: 'exit code: 0\nstdout:\n512M\t/var\n', display: null };
    },
  });
  const script = sequence(
    reply().toolCall('run_shell', { command: 'du -sh /var' }),
    reply().text(answer),
    reply().text('Gladly.'),
  );

  await withSim({ script }, async (sim) => {
    const world = new TurnWorld();
    world.provider = createOllamaProvider({ clock: systemClock });
    world.url = sim.url;
    world.chooseModel = async () => ({ ...model, name: 'qwen3.5:9b' });
    world.moreTools.push(runShell);
    world.active = profile({ tools: ['run_shell'], contextTokens: 12_288 });
    await world.run(question);

    expect(ran).toEqual(['du -sh /var']);
    expect(world.ending()).toBe('turn/finished');
    expect(world.items().at(-1)).toMatchObject({ kind: 'text' });
    // Two iterations, each with the whole history on the wire.
    const sent = sim.truth.requests.map(({ body }) => messagesOf(body));
    expect(sent.map((messages) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
    ]);
    expect(sent[1]?.[1]?.content).toContain(question);
    expect(sent[1]?.[2]?.tool_calls).toMatchObject([
      { function: { name: 'run_shell', arguments: { command: 'du -sh /var' } } },
    ]);
    expect(sent[1]?.[3]?.content).toMatch(/^exit code: 0\nstdout:\n512M\t\/var/);
    expect(world.messages.at(-1)?.content).toBe(answer);
    assertValidHistory(world.messages);
    const [checked] = world.events.flatMap((event) =>
      event.type === 'context/measured' ? [event.context] : [],
    );
    expect(Math.round((100 * (checked?.usedTokens ?? 0)) / (checked?.windowTokens ?? 1))).toBe(3);

    await world.run('Thanks.');
    const after = messagesOf(sim.truth.last()?.body);
    expect(after.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(after[4]?.content).toBe(answer);
  });
});

const messageSchema = z.object({
  role: z.string(),
  content: z.string(),
  tool_calls: z.array(z.unknown()).optional(),
});
const messagesOf = (body: unknown) => z.object({ messages: z.array(messageSchema) }).parse(body).messages;
