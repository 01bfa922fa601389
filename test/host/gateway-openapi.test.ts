/** The description of the gateway, as a validator and a client that is generated from it read it. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios, type Document, type OpenAPIClient } from 'openapi-client-axios';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';

const documentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});

let harness: GatewayHarness;
let token: string;
let text: string;
let document: z.infer<typeof documentSchema>;
beforeEach(async () => {
  harness = await GatewayHarness.start(script([rule({}, reply().text('An answer.'))]));
  token = (await harness.token()).text;
  const headers = { authorization: `Bearer ${token}` };
  ({ body: text } = await harness.http('GET', '/v1/openapi.json', { headers }));
  document = documentSchema.parse(JSON.parse(text));
});
afterEach(() => harness.close());

function generateClient(): Promise<OpenAPIClient> {
  const api = new OpenAPIClientAxios({
    definition: document as unknown as Document,
    withServer: { url: harness.url },
    axiosConfigDefaults: { headers: { authorization: `Bearer ${token}` }, proxy: false },
  });
  return api.init();
}

it('a validator of OpenAPI 3.1 finds nothing wrong in the description (Y15)', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>);
  expect(errors).toBeUndefined();
  expect([valid, validator.version]).toEqual([true, '3.1']);
});

it('the description has every address that is answered, each under a name of its own (Y15)', async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  );
  expect(operations).toHaveLength(13);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, method } of operations) {
    const asked = path.replace('{id}', 'none_1');
    const { body } = await harness.http(method.toUpperCase(), asked, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(body).not.toContain('unknown_path');
  }
});

it('a client that is generated from the description talks to the agent (Y15)', async () => {
  const client = await generateClient();
  const call = async (name: string, id: string | null, body?: object): Promise<unknown> => {
    const operation = client[name];
    if (!operation) throw new Error(`The client has no ${name}.`);
    return (await operation(id === null ? undefined : { id }, body)).data as unknown;
  };
  const { session } = z
    .object({ session: z.object({ id: z.string() }) })
    .parse(await call('openSession', null, { profile: 'developer' }));
  const answer = await call('sendSessionMessage', session.id, { text: 'Hello.' });
  expect(answer).toMatchObject({ content: 'An answer.', status: 'answered', session_id: session.id });
  expect(await call('listSessions', null)).toMatchObject({ sessions: [{ id: session.id }], has_more: false });
  expect(await call('getUsage', null)).toMatchObject({ requests: 1 });
  const asked = { model: 'developer', input: 'Hello.' };
  expect(await call('createResponse', null, asked)).toMatchObject({ status: 'completed' });
  const messages = [{ role: 'user', content: 'Hello.' }];
  expect(await call('createChatCompletion', null, { model: 'developer', messages })).toMatchObject({
    object: 'chat.completion',
  });
});

it('an answer of each kind has the form that the description gives it (Y15)', async () => {
  const { body } = await harness.post('/v1/messages', token, { text: 'Hello.' });
  const { session_id: id } = JSON.parse(body) as { session_id: string };
  const asked = { model: 'developer', input: 'Hello.' };
  const messages = [{ role: 'user', content: 'Hello.' }];
  const sent: [string, string, object?][] = [
    ['get', '/healthz'],
    ['get', '/v1/models'],
    ['post', '/v1/chat/completions', { model: 'developer', messages }],
    ['post', '/v1/responses', asked],
    ['post', '/v1/messages', { text: 'Hello.' }],
    ['get', '/v1/sessions'],
    ['post', '/v1/sessions', { profile: 'developer' }],
    ['get', '/v1/sessions/{id}'],
    ['post', '/v1/sessions/{id}/messages', { text: 'Hello.' }],
    ['post', '/v1/sessions/{id}/stop', {}],
    ['get', '/v1/usage'],
  ];
  for (const [method, path, more] of sent) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await harness.http(method.toUpperCase(), path.replace('{id}', id), {
      headers,
      body: more ? JSON.stringify(more) : '',
    });
    expect([path, answer.status]).toEqual([path, 200]);
    const form = z.fromJSONSchema(answerSchemaAt(method, path) as Parameters<typeof z.fromJSONSchema>[0]);
    expect(form.safeParse(JSON.parse(answer.body)).error).toBeUndefined();
    expect(form.safeParse({ other: true }).success).toBe(false);
  }
});

function answerSchemaAt(method: string, path: string): unknown {
  const schema = z.looseObject({
    responses: z.looseObject({
      200: z.looseObject({
        content: z.looseObject({ 'application/json': z.looseObject({ schema: z.unknown() }) }),
      }),
    }),
  });
  return schema.parse(document.paths[path]?.[method]).responses[200].content['application/json'].schema;
}
