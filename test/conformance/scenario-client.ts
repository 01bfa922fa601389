/**
 * The program that a scenario of the protocol's conformance suite starts: it connects to the address of its last argument
 * with the parts that the host connects servers by, signs in where that is wanted, and calls each tool that is listed.
 */
import { boundedFetch } from '../../src/host/mcp/bounded-fetch.ts';
import {
  readDefinition,
  type PinnedDefinition,
  type ToolDefinition,
} from '../../src/host/mcp/definitions.ts';
import { openAddress } from '../../src/host/mcp/open-address.ts';
import type { AddressServer } from '../../src/host/mcp/server-file.ts';
import { ServerLink } from '../../src/host/mcp/server-link.ts';
import { SignIns } from '../../src/host/mcp/sign-ins.ts';
import type { AskForm } from '../../src/host/tools/tool.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { initialInputs, valuesOf } from '../../src/rules/form-values.ts';
import { figures } from '../../src/text/en/figures.ts';
import { argumentsFor } from './arguments-for.ts';

interface Context {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
  client_id?: string;
  client_secret?: string;
}

const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;
const server: AddressServer = {
  name: 'scenario',
  url,
  headers: {},
  disabled: false,
  description: '',
  oauth: {
    ...(context.client_id !== undefined && {
      clientId: context.client_id,
      clientSecret: context.client_secret,
    }),
    // The document that the suite knows; it is read by nobody.
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  },
};

const kept = new Map<string, string>();
let onSettled = (): void => undefined;
const signIns = new SignIns({
  secrets: {
    has: (id) => Promise.resolve(kept.has(id)),
    get: (id) => Promise.resolve(kept.get(id) ?? null),
    set(id, secret) {
      if (secret === null) kept.delete(id);
      else kept.set(id, secret);
      return Promise.resolve();
    },
  },
  clock: systemClock,
  send: boundedFetch(),
  onChange: () => onSettled(),
});

let tools: readonly PinnedDefinition[] = [];
const link = new ServerLink({
  name: server.name,
  isAtAddress: true,
  open: () => openAddress(server, { signIns }),
  clock: systemClock,
  version: '1',
  onTools: (listed) => (tools = listed),
  onState: () => undefined,
});

const isWanted = async (): Promise<boolean> => (await signIns.standing(server)).state === 'needed';
const report = (what: unknown): void => void process.stderr.write(`${String(what)}\n`);

/** As a person does with a browser. */
async function signIn(): Promise<void> {
  const address = await signIns.begin(server);
  const settled = new Promise<void>((resolve) => (onSettled = resolve));
  const page = await fetch(address);
  report(await page.text());
  await settled;
  report(JSON.stringify(await signIns.standing(server)));
}

/** As a person does who changes nothing. */
const accept: AskForm = ({ wanted }) =>
  Promise.resolve({
    action: 'accept',
    ...(wanted.kind === 'fields' && {
      values: valuesOf(wanted.fields, initialInputs(wanted.fields, figures), figures),
    }),
  });

function argumentsOf(tool: ToolDefinition): Record<string, unknown>[] {
  const given = context.toolCalls?.filter(({ name }) => name === tool.name).map((call) => call.arguments);
  if (given) return given;
  // One scenario wants to see the schema that arrived here.
  const schema = tools[0] && readDefinition(tools[0].definition).inputSchema;
  return [tool.name === 'json_schema_echo' ? { schema } : argumentsFor(tool.inputSchema)];
}

const call = (tool: ToolDefinition, args: Record<string, unknown>): Promise<unknown> =>
  link
    .call(tool, args, { signal: new AbortController().signal, onProgress: () => undefined, ask: accept })
    .catch((error: unknown) => report(`${tool.name}: ${String(error)}`));

async function callAll(): Promise<void> {
  for (const { definition } of tools) {
    const tool = readDefinition(definition);
    for (const args of argumentsOf(tool)) {
      await call(tool, args);
      if (!(await isWanted())) continue;
      await signIn();
      if (link.state.state !== 'ready') await link.refresh();
      await call(tool, args);
    }
  }
}

await link.wake();
// A person who is asked a second time signs in once more.
for (let times = 0; times < 2 && (await isWanted()); times += 1) {
  await signIn().catch(report);
  await link.refresh();
}
const { state } = link;
if (state.state === 'ready') await callAll();
else report(JSON.stringify(state));
await link.close();
signIns.cancel();
process.exit(state.state === 'ready' ? 0 : 1);
