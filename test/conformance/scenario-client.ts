/**
 * The program that a scenario of the protocol's conformance suite starts: it connects to the address of its last argument
 * with the parts that the host connects servers by, and calls each tool that is listed.
 */
import { systemClock } from '../../src/platform/clock.ts';
import { openAddress } from '../../src/host/mcp/open-address.ts';
import { readDefinition, type PinnedDefinition } from '../../src/host/mcp/definitions.ts';
import { ServerLink } from '../../src/host/mcp/server-link.ts';
import type { AskForm } from '../../src/host/tools/tool.ts';
import { initialInputs, valuesOf } from '../../src/rules/form-values.ts';
import { argumentsFor } from './arguments-for.ts';

interface Context {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
}

const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;

let tools: readonly PinnedDefinition[] = [];
const link = new ServerLink({
  name: 'scenario',
  open: () => openAddress({ name: 'scenario', url, headers: {}, disabled: false, description: '' }),
  clock: systemClock,
  version: '1',
  onTools: (listed) => (tools = listed),
  onState: () => undefined,
});

/** As a person does who changes nothing. */
const accept: AskForm = ({ wanted }) =>
  Promise.resolve({
    action: 'accept',
    ...(wanted.kind === 'fields' && { values: valuesOf(wanted.fields, initialInputs(wanted.fields)) }),
  });

async function callAll(): Promise<void> {
  for (const { definition } of tools) {
    const tool = readDefinition(definition);
    const given = context.toolCalls?.filter(({ name }) => name === tool.name).map((call) => call.arguments);
    // One scenario wants to see the schema that arrived here.
    const schema = tools[0] && readDefinition(tools[0].definition).inputSchema;
    const made = tool.name === 'json_schema_echo' ? { schema } : argumentsFor(tool.inputSchema);
    for (const args of given ?? [made])
      await link
        .call(tool, args, { signal: new AbortController().signal, onProgress: () => undefined, ask: accept })
        .catch((error: unknown) => process.stderr.write(`${tool.name}: ${String(error)}\n`));
  }
}

await link.wake();
const { state } = link;
if (state.state === 'ready') await callAll();
else process.stderr.write(`${JSON.stringify(state)}\n`);
await link.close();
process.exit(state.state === 'ready' ? 0 : 1);
