/** Resources and prompts of all servers, as a window that writes a message asks for them. */
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '../../platform/clock.ts';
import { maxAttachmentBytes, type Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { FormValues } from '../../protocol/form-question.ts';
import type { McpPrompt, McpResource } from '../../protocol/mcp-offers.ts';
import { formProblems } from '../../rules/form-values.ts';
import type { Attachments } from '../attachments/attachments.ts';
import { bestMatches, comparable } from '../attachments/match-paths.ts';
import { promptText, type PromptText } from './prompt-text.ts';
import type { ServerOffers } from './server-offers.ts';
import type { McpServers } from './servers.ts';

/** In one answer. */
const maxShown = 50;
/** How long servers that nobody started yet may take until the others are listed without them. */
const wakeMs = 2_000;
const maxFileName = 200;

export interface OffersDeps {
  servers: Pick<McpServers, 'wakeAll' | 'connected'>;
  attachments: Pick<Attachments, 'addBytes'>;
  clock: Clock;
}

export type Offers = ReturnType<typeof createOffers>;

export function createOffers({ servers, attachments, clock }: OffersDeps) {
  async function connected(): Promise<{ server: string; offers: ServerOffers }[]> {
    const late = new AbortController();
    const timer = clock.after(wakeMs, () => late.abort());
    try {
      await servers.wakeAll(late.signal);
    } catch (error) {
      if (!late.signal.aborted) throw error;
    } finally {
      timer.cancel();
    }
    return servers.connected();
  }

  async function allResources(): Promise<McpResource[]> {
    const lists = await Promise.all(
      (await connected()).map(async ({ server, offers }) =>
        (await offers.resources()).map((resource) => ({ server, ...resource })),
      ),
    );
    return lists.flat();
  }

  async function allPrompts(): Promise<McpPrompt[]> {
    const lists = await Promise.all(
      (await connected()).map(async ({ server, offers }) =>
        (await offers.prompts()).map((prompt) => ({ server, ...prompt })),
      ),
    );
    return lists.flat();
  }

  async function offersOf(server: string): Promise<ServerOffers> {
    const found = (await connected()).find((each) => each.server === server);
    if (found) return found.offers;
    throw new AndironError(
      'not_found',
      `The server ${server} is not connected now.`,
      'Look at it in the settings, under Connections, or go on without it.',
    );
  }

  return {
    async resources(query: string): Promise<{ resources: McpResource[]; complete: boolean }> {
      const all = await allResources();
      // By the server's name too, as a path goes through folders.
      const byKey = new Map(all.map((each) => [`${each.server}/${each.name} ${each.uri}`, each]));
      const named = [...byKey.keys()].map((path) => ({ path, compared: comparable(path) }));
      const { paths, found } = bestMatches(named, query, maxShown);
      const resources = paths.flatMap((path) => byKey.get(path) ?? []);
      return { resources, complete: found <= resources.length };
    },
    prompts: allPrompts,
    async attach(server: string, uri: string): Promise<Attachment> {
      const offers = await offersOf(server);
      const listed = (await offers.resources()).find((each) => each.uri === uri);
      if (!listed) throw gone(server, uri);
      const { name } = listed;
      const read = await offers.read(uri).catch((error: unknown) => {
        throw unanswered('attachment_invalid', { server, name }, error);
      });
      return attachments.addBytes(fileName(name), contentOf(read, server, name), { server, uri });
    },
    async prompt(server: string, name: string, values: FormValues): Promise<PromptText> {
      const offers = await offersOf(server);
      const listed = (await offers.prompts()).find((each) => each.name === name);
      if (!listed) throw gone(server, name);
      const problems = Object.keys(formProblems(listed.fields, values));
      if (problems.length > 0)
        throw new AndironError('invalid_params', `These values do not fit: ${problems.join(', ')}.`);
      const args = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
      const result = await offers.prompt(name, args).catch((error: unknown) => {
        throw unanswered('not_found', { server, name }, error);
      });
      return promptText(result);
    },
  };
}

/** Texts as one; of bytes the first, where there is no text. */
function contentOf({ contents }: ReadResourceResult, server: string, name: string): Uint8Array {
  const texts = contents.flatMap((each) => ('text' in each ? [each.text] : []));
  const blob = contents.find((each) => 'blob' in each);
  const bytes =
    texts.length === 0 && blob && 'blob' in blob
      ? Buffer.from(blob.blob, 'base64')
      : Buffer.from(texts.join('\n\n'));
  if (bytes.length === 0)
    throw new AndironError(
      'attachment_invalid',
      `${name} of ${server} is empty, so the message was not sent.`,
      'Take it out of the message.',
    );
  if (bytes.length > maxAttachmentBytes)
    throw new AndironError(
      'attachment_invalid',
      `${name} of ${server} is too large, so the message was not sent.`,
      'Take it out of the message, and ask for a part of it with a tool of that server.',
    );
  return bytes;
}

/** Never a path. */
const fileName = (name: string): string =>
  name
    .slice(0, maxFileName)
    .replaceAll(/[/\\\0]/g, '-')
    .replace(/^\.{1,2}$/, 'resource');

const gone = (server: string, what: string): AndironError =>
  new AndironError(
    'not_found',
    `${server} does not list ${what.slice(0, 200)} any more.`,
    'Take it out of the message, or choose another one.',
  );

/** With a code of its own: a window takes `disconnected` for the loss of its host. */
function unanswered(
  code: 'attachment_invalid' | 'not_found',
  { server, name }: { server: string; name: string },
  cause: unknown,
): AndironError {
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
  const advice = 'Nothing was sent. Try again, or go on without it.';
  return new AndironError(code, `${server} did not give ${name}: ${reason}`, advice, { cause });
}
