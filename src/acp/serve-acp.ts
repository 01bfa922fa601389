/** Andiron as an agent of the Agent Client Protocol (version 1), for an editor that speaks it over stdin and stdout. */
import { Readable, Writable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { HostRpc } from '../cli/host-rpc.ts';
import { AndironError } from '../protocol/errors.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { sessionTopic } from '../protocol/frames.ts';
import type { Item, SessionSnapshot } from '../protocol/model.ts';
import { answerPrompt, sendUpdate, type EditorSession } from './answer-prompt.ts';
import { configOptions, readConfigSource, setConfigOption, type ConfigSource } from './config-options.ts';
import { SessionUpdates } from './session-updates.ts';

export interface AcpDeps {
  rpc: HostRpc;
  input: Readable;
  output: Writable;
  /** For the log of the editor. */
  note: (text: string) => void;
  /** Fires when the command is to end. */
  signal: AbortSignal;
}

type Sessions = Map<string, EditorSession>;

/** An image or a file in one message, as base64. */
const maxMessageBytes = 32 * 1024 * 1024;
const pageSize = 200;

/** Resolves when the editor has hung up, after what it had asked for was stopped. */
export async function serveAcp(deps: AcpDeps): Promise<void> {
  const { rpc, input, output, signal } = deps;
  const sessions: Sessions = new Map();
  const prompts = new Set<Promise<unknown>>();
  const app = agent({ name: 'andiron' });
  registerSessions(app, sessions, deps);
  registerPrompts(app, sessions, { rpc, prompts });
  const stream = ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
    { maxMessageBytes },
  );
  const connection = app.connect(stream);
  signal.addEventListener('abort', () => connection.close(), { once: true });
  rpc.onClose(() =>
    connection.close(new AndironError('disconnected', 'The connection to Andiron was lost.')),
  );
  rpc.onEvent((topic, _seq, event) => {
    for (const { id, source } of sessions.values()) {
      if (topic !== sessionTopic(id)) continue;
      for (const update of changesOf(event as SessionEvent, source))
        void sendUpdate(connection.client, id, update);
    }
  });
  await connection.closed;
  for (const { running } of sessions.values()) for (const stop of running) stop.abort();
  await Promise.allSettled(prompts);
}

function registerSessions(app: AgentApp, sessions: Sessions, { rpc, note }: AcpDeps): void {
  /** Follows it from its snapshot on, so that titles and settings that change between its turns are told, too. */
  const open = async (sessionId: string): Promise<{ session: EditorSession; snapshot: SessionSnapshot }> => {
    const source = await readConfigSource(rpc);
    const { snapshot } = await rpc.call('session/subscribe', { sessionId });
    const { id, workspace } = snapshot.session;
    const session = {
      id,
      updates: new SessionUpdates(workspace),
      source,
      running: new Set<AbortController>(),
    };
    sessions.set(id, session);
    return { session, snapshot };
  };
  const warnOfServers = (mcpServers: readonly unknown[]): void => {
    if (mcpServers.length > 0) note('Andiron does not use MCP servers of the editor.');
  };
  app
    .onRequest(methods.agent.initialize, async () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: {
        name: 'andiron',
        title: 'Andiron',
        version: (await rpc.call('host/about', {})).version ?? 'unknown',
      },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {} },
      },
    }))
    .onRequest(methods.agent.session.new, ({ params }) =>
      inWords(async () => {
        warnOfServers(params.mcpServers);
        const created = await rpc.call('session/create', { workspace: params.cwd });
        const { session, snapshot } = await open(created.session.id);
        return { sessionId: session.id, configOptions: configOptions(snapshot.session, session.source) };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      inWords(async () => {
        warnOfServers(params.mcpServers);
        const { session, snapshot } = await open(params.sessionId);
        const { id, updates, source } = session;
        for (const item of await allItems(rpc, id, snapshot)) {
          for (const update of updates.replay(item)) await sendUpdate(client, id, update);
        }
        return { configOptions: configOptions(snapshot.session, source) };
      }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      inWords(async () => {
        const list = (await rpc.call('host/subscribe', {})).sessions;
        const wanted = list.filter(
          ({ workspace, archivedAt }) =>
            archivedAt == null && (params.cwd == null || workspace === params.cwd),
        );
        return {
          sessions: wanted.map(({ id, workspace, title, updatedAt }) => ({
            sessionId: id,
            cwd: workspace,
            title,
            updatedAt: new Date(updatedAt).toISOString(),
          })),
        };
      }),
    );
}

interface PromptDeps {
  rpc: HostRpc;
  /** Those that are not answered yet. */
  prompts: Set<Promise<unknown>>;
}

function registerPrompts(app: AgentApp, sessions: Sessions, { rpc, prompts }: PromptDeps): void {
  const known = (sessionId: string): EditorSession => {
    const session = sessions.get(sessionId);
    if (session) return session;
    throw new AndironError('not_found', `There is no session ${sessionId} here.`, 'Load it first.');
  };
  app
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      inWords(async () => {
        const { id, source } = known(params.sessionId);
        const choice = { configId: params.configId, value: String(params.value) };
        return { configOptions: configOptions(await setConfigOption(rpc, id, choice), source) };
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params, client }) =>
      inWords(async () => {
        const session = known(params.sessionId);
        const stop = new AbortController();
        session.running.add(stop);
        const answered = answerPrompt(rpc, session, { blocks: params.prompt, client, signal: stop.signal });
        prompts.add(answered);
        try {
          return { stopReason: await answered };
        } finally {
          session.running.delete(stop);
          prompts.delete(answered);
        }
      }),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      for (const stop of sessions.get(params.sessionId)?.running ?? []) stop.abort();
    });
}

/** What a session's own settings say after a change, wherever that was made. */
function changesOf({ turnId, event }: SessionEvent, source: ConfigSource): SessionUpdate[] {
  if (turnId !== null || event.type !== 'session/changed') return [];
  const { session } = event;
  return [
    {
      sessionUpdate: 'session_info_update',
      title: session.title,
      updatedAt: new Date(session.updatedAt).toISOString(),
    },
    { sessionUpdate: 'config_option_update', configOptions: configOptions(session, source) },
  ];
}

async function allItems(
  rpc: HostRpc,
  sessionId: string,
  { items, hasOlder }: { items: Item[]; hasOlder: boolean },
): Promise<Item[]> {
  const pages = [items];
  let more = hasOlder;
  while (more) {
    const beforeIndex = pages.at(-1)?.[0]?.index ?? 0;
    const page = await rpc.call('item/page', { sessionId, beforeIndex, limit: pageSize });
    pages.push(page.items);
    more = page.hasOlder && page.items.length > 0;
  }
  return pages.toReversed().flat();
}

/** What a person can act on reaches the editor as an error with its words. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AndironError)) throw error;
    const { code, message, advice } = error;
    const words = `${message} ${advice}`.trim();
    if (code === 'not_found') throw new RequestError(-32002, words, { code });
    if (code === 'invalid_params' || code === 'workspace_invalid')
      throw new RequestError(-32602, words, { code });
    throw new RequestError(-32603, words, { code });
  }
}
