/** What clients of OpenAI ask for. */
import { z } from 'zod';
import { completeChat } from './chat-completions.ts';
import { chunkSchema, completionSchema, modelListSchema, type ModelList } from './chat-form.ts';
import { chatRequestSchema, readChatRequest, refuseTools } from './chat-request.ts';
import { respond } from './openai-responses.ts';
import { responseEventSchema, responseRequestSchema, responseSchema } from './responses-form.ts';
import { route } from './route.ts';

export const openaiRoutes = [
  route({
    method: 'GET',
    path: '/healthz',
    name: 'getHealth',
    summary: 'Whether Andiron is running, for this token',
    answer: z.object({ status: z.literal('ok') }),
    handle: () => Promise.resolve({ status: 'ok' }),
  }),
  route({
    method: 'GET',
    path: '/v1/models',
    name: 'listModels',
    summary: 'Profiles, in the form of models',
    answer: modelListSchema,
    async handle(_asked, { rpc }) {
      const { profiles } = await rpc.call('program/profiles', {});
      const data = profiles.map(
        ({ id }) => ({ id, object: 'model', created: 0, owned_by: 'andiron' }) as const,
      );
      return { object: 'list', data } satisfies ModelList;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/chat/completions',
    name: 'createChatCompletion',
    summary: 'An answer of the agent, in the form of a chat completion',
    body: chatRequestSchema,
    check: refuseTools,
    answer: completionSchema,
    events: chunkSchema,
    handle: async ({ body }, asking) => completeChat(readChatRequest(body), asking),
  }),
  route({
    method: 'POST',
    path: '/v1/responses',
    name: 'createResponse',
    summary: 'An answer of the agent, in the form of a response',
    body: responseRequestSchema,
    check: refuseTools,
    answer: responseSchema,
    events: responseEventSchema,
    handle: ({ body }, asking) => respond(body, asking),
  }),
];
