/** Whether a search brings the tool that a person means. */
import { pinDefinitions } from '../../../src/host/mcp/definitions.ts';
import type { AllowedCall } from '../../../src/host/mcp/servers.ts';
import { createBridge } from '../../../src/host/mcp/tool-bridge.ts';
import { Chance } from '../prefix/chance.ts';
import { catalogue, questions, type CatalogueServer } from './catalogue.ts';

interface Missed {
  wanted: string;
  question: string;
  found: string[];
}

/**
 * One question for each tool, against all of them. `byWords`: with the words of the person in place of those that a model
 * would search for.
 */
export async function rightTool(seed: number, byWords = false): Promise<{ share: number; missed: Missed[] }> {
  const chance = new Chance(seed);
  const bridge = createBridge({
    wakeAll: () => Promise.resolve(),
    usable: () => catalogue.flatMap(allowed),
    standing: () => 'unknown',
  });
  const asked = catalogue
    .flatMap(({ server, tools }) => tools.map(({ name }) => `${server}.${name}`))
    .map((wanted) => ({ wanted, ...chance.pick(questions[wanted] ?? []) }));
  const missed: Missed[] = [];
  for (const { wanted, question, query } of asked) {
    const found = await bridge.search(byWords ? question : query, AbortSignal.timeout(10_000));
    const names = found.map(({ name }) => name);
    if (!names.includes(wanted)) missed.push({ wanted, question, found: names });
  }
  return { share: 1 - missed.length / asked.length, missed };
}

/** Nothing is called, so nothing but their definitions is there. */
const allowed = ({ server, tools }: CatalogueServer): AllowedCall[] =>
  pinDefinitions(tools).tools.map((tool) => ({ server, tool }) as unknown as AllowedCall);
