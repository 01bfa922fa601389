/** Andiron's own addresses: messages, sessions, usage and files of the program that asks. */
import {
  answerForm,
  answerSchema,
  messageRequestSchema,
  openSessionSchema,
  sessionAnswerSchema,
  sessionForm,
  sessionListSchema,
  sessionQuerySchema,
  sessionsQuerySchema,
  spanQuerySchema,
  stoppedSchema,
  turnRequestSchema,
  usageAnswerSchema,
  usageForm,
} from './program-form.ts';
import type { HostRpc } from '../cli/host-rpc.ts';
import { FileAnswer, route } from './route.ts';
import { rowsOf } from './message-rows.ts';
import { readHistory, withWholeResults } from './session-history.ts';

export const programRoutes = [
  route({
    method: 'POST',
    path: '/v1/messages',
    name: 'sendMessage',
    summary: 'Sends a message to the conversation of a thread, and waits for the answer',
    body: messageRequestSchema,
    answer: answerSchema,
    handle: async ({ body }, { rpc, signal }) => answerForm(await rpc.call('program/receive', body, signal)),
  }),
  route({
    method: 'GET',
    path: '/v1/sessions',
    name: 'listSessions',
    summary: 'Sessions of this token, the latest first',
    query: sessionsQuerySchema,
    answer: sessionListSchema,
    async handle({ query }, { rpc }) {
      const { sessions, hasMore } = await rpc.call('program/sessions', query);
      return { sessions: sessions.map(sessionForm), has_more: hasMore };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions',
    name: 'openSession',
    summary: 'Begins a session in an empty folder of its own',
    body: openSessionSchema,
    answer: sessionAnswerSchema,
    async handle({ body }, { rpc }) {
      const { sessionId } = await rpc.call('program/open-session', { profileId: body.profile });
      return { session: await readSession(rpc, sessionId) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/{id}',
    name: 'getSession',
    summary: 'A session, with its rows where they are asked for',
    query: sessionQuerySchema,
    answer: sessionAnswerSchema,
    async handle({ id, query }, { rpc }) {
      const session = await readSession(rpc, id);
      if (query.view === undefined) return { session };
      const { items, turns, hasOlder } = await readHistory(rpc, id, query.turns, query.before);
      const next = hasOlder ? (items[0]?.index ?? null) : null;
      const whole = await withWholeResults(rpc, id, items);
      return { session, rows: rowsOf(whole, turns), next_before: next };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/{id}/messages',
    name: 'sendSessionMessage',
    summary: 'Sends a message to a session, and waits for the answer',
    body: turnRequestSchema,
    answer: answerSchema,
    handle: async ({ id, body }, { rpc, signal }) =>
      answerForm(await rpc.call('program/receive', { ...body, sessionId: id }, signal)),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/{id}/stop',
    name: 'stopSession',
    summary: 'Stops what runs in a session',
    answer: stoppedSchema,
    async handle({ id }, { rpc }) {
      await rpc.call('turn/stop', { sessionId: id });
      return { status: 'stopping' };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/usage',
    name: 'getUsage',
    summary: 'What the sessions of this token took',
    query: spanQuerySchema,
    answer: usageAnswerSchema,
    handle: async ({ query }, { rpc }) => usageForm((await rpc.call('program/usage', query)).totals),
  }),
  route({
    method: 'GET',
    path: '/v1/files/{id}',
    name: 'getFile',
    summary: 'A file that a tool brought out in a session of this token, as it is now',
    answer: 'file',
    async handle({ id }, { rpc }) {
      const { name, data } = await rpc.call('program/read-file', { fileId: id });
      return new FileAnswer(name, Buffer.from(data, 'base64'));
    },
  }),
];

async function readSession(rpc: HostRpc, sessionId: string) {
  return sessionForm((await rpc.call('program/session', { sessionId })).session);
}
