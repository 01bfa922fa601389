/** How the two tools of the bridge reach the servers: found by words, checked before anything is sent, answered in text. */
import type { JsonSchemaType } from '@modelcontextprotocol/client';
import { AndironError } from '../../protocol/errors.ts';
import { toWireError } from '../../protocol/errors.ts';
import { unlessAborted } from '../../platform/event-loop.ts';
import type { McpAccess } from '../tools/mcp-access.ts';
import { ToolFailure } from '../tools/tool.ts';
import { checkableSchema } from './argument-schema.ts';
import { readDefinition, type ToolDefinition } from './definitions.ts';
import { rankTexts } from '../../rules/rank-texts.ts';
import { plainSchema } from './plain-schema.ts';
import { readResult } from './read-result.ts';
import type { AllowedCall, McpServers, Standing } from './servers.ts';

const maxFound = 5;
const maxShownDescription = 600;
const maxDetails = 4_000;
const maxHint = 160;
const maxProgress = 300;

type Servers = Pick<McpServers, 'wakeAll' | 'usable' | 'standing'>;

export function createBridge(servers: Servers): McpAccess {
  /** A server may list other tools once it is connected, so it is looked at after that. */
  const find = async (
    name: string,
    signal: AbortSignal,
  ): Promise<AllowedCall & { definition: ToolDefinition }> => {
    const [server = '', tool = ''] = splitName(name);
    const found = allowed(name, servers.standing(server, tool));
    await unlessAborted(found.link.wake(), signal);
    const now = allowed(name, servers.standing(server, tool));
    if (now.link.state.state !== 'ready')
      throw new ToolFailure(`${name} is not available now: its server is not running.`, {
        advice: 'Go on without it, or say that it is not available.',
      });
    return { ...now, definition: readDefinition(now.tool.definition) };
  };

  return {
    async search(query, signal) {
      await servers.wakeAll(signal);
      const tools = servers.usable().map(({ server, tool }) => {
        const { description, inputSchema } = readDefinition(tool.definition);
        const details = argumentWords(inputSchema);
        return { name: `${server}.${tool.name}`, description, details, inputSchema };
      });
      return rankTexts(tools, query, maxFound).map(({ name, description, inputSchema }) => ({
        name,
        description: description.slice(0, maxShownDescription),
        parameters: JSON.stringify(inputSchema),
        schema: plainSchema(inputSchema),
        hints: hintsOf(inputSchema),
      }));
    },
    async check(name, args, signal) {
      const { definition } = await find(name, signal);
      await checkArguments(name, definition, args);
    },
    async call(name, args, { signal, onProgress, ask }) {
      const { server, link, definition } = await find(name, signal);
      await checkArguments(name, definition, args);
      try {
        const result = await link.call(definition, args, {
          signal,
          ask,
          onProgress: ({ progress, total, message }) => onProgress(progressLine(progress, total, message)),
        });
        const { text, pictures } = readResult(result);
        const from = { server, uri: '' };
        return {
          text,
          pictures: pictures.map((picture) => ({ ...picture, from })),
          isError: result.isError ?? false,
        };
      } catch (error) {
        if (signal.aborted) throw error;
        throw failureOf(name, error);
      }
    },
  };
}

/** What is said of its arguments, for whoever looks for it: no more than a description may have. */
function argumentWords(inputSchema: ToolDefinition['inputSchema']): string {
  const words = saidOfArguments(inputSchema).map(({ key, said, values }) => [key, said, ...values].join(' '));
  return words.join(' ').slice(0, maxDetails);
}

/** In one line each. */
function hintsOf(inputSchema: ToolDefinition['inputSchema']): Record<string, string> {
  const hints = saidOfArguments(inputSchema).map(({ key, said, values }) => {
    const choice = values.length > 0 ? ` one of ${values.join(', ').slice(0, maxHint)}` : '';
    return [key, `${said.slice(0, maxHint)}${choice}`.replaceAll(/\s+/g, ' ').trim().toWellFormed()] as const;
  });
  return Object.fromEntries(hints);
}

function saidOfArguments({ properties }: ToolDefinition['inputSchema']) {
  return Object.entries(properties ?? {}).map(([key, value]) => {
    const { description, enum: values } = (value ?? {}) as { description?: unknown; enum?: unknown };
    return {
      key,
      said: typeof description === 'string' ? description : '',
      values: (Array.isArray(values) ? values : []).filter((each) => typeof each === 'string'),
    };
  });
}

/** Names of servers have no dot. */
function splitName(name: string): string[] {
  const at = name.indexOf('.');
  return at === -1 ? [] : [name.slice(0, at), name.slice(at + 1)];
}

function allowed(name: string, standing: Standing): AllowedCall {
  switch (standing) {
    case 'unknown':
      throw new ToolFailure(`There is no tool ${name}.`, {
        advice: 'Look for it with tool_search, and take its name from there.',
      });
    case 'off':
      throw new ToolFailure(`The person has turned ${name} off.`, { advice: 'Go on without it.' });
    case 'suspended':
      throw new ToolFailure(`${name} is not available: its server changed it since the person allowed it.`, {
        advice: 'Go on without it, and say that it waits for them in the settings, under Connections.',
      });
    default:
      return standing;
  }
}

async function checkArguments(
  name: string,
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
): Promise<void> {
  const schema = JSON.stringify(inputSchema);
  const { valid, errorMessage } = await validate(inputSchema, args).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new ToolFailure(
      `${name} cannot be called: what its server says of its arguments is unusable. ${reason}`,
      {
        advice: 'Go on without it.',
      },
    );
  });
  if (valid) return;
  throw new ToolFailure(`${name} was not called: ${(errorMessage ?? '').slice(0, 500)}.`, {
    advice: `Its arguments: ${schema.slice(0, 3_000)}`,
  });
}

async function validate(inputSchema: ToolDefinition['inputSchema'], args: Record<string, unknown>) {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
  const schema = checkableSchema(inputSchema) as JsonSchemaType;
  return new AjvJsonSchemaValidator().getValidator(schema)(args);
}

function progressLine(progress: number, total: number | undefined, message: string | undefined): string {
  const share = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`;
  return `${share}${message === undefined ? '' : `: ${message}`}`.slice(0, maxProgress);
}

function failureOf(name: string, error: unknown): ToolFailure {
  if (error instanceof AndironError) return new ToolFailure(toWireError(error).message, { cause: error });
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  return new ToolFailure(`${name} did not answer: ${reason}`, {
    advice: 'Do not repeat it as it was.',
    cause: error,
  });
}
