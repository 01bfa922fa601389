/** `GET /v1/openapi.json`: OpenAPI 3.1, made of the schemas by which requests are checked and answers are formed. */
import { z } from 'zod';
import { errorSchema } from './api-failure.ts';
import { route, type Route } from './route.ts';

const about = `The agent of Andiron for programs on this machine, in OpenAI's form and in its own. The model of a request is
the id of a profile. Each address needs a token of Andiron; requests of web pages are refused.
The events of a session come over a WebSocket at the address of the session.`;

/** The routes, and the one that describes them and itself. */
export function describedRoutes(routes: readonly Route[]): Route[] {
  const described: Route[] = [
    ...routes,
    route({
      method: 'GET',
      path: '/v1/openapi.json',
      name: 'getOpenapi',
      summary: 'This description',
      answer: z.record(z.string(), z.unknown()),
      handle: () => Promise.resolve(documentOf(described)),
    }),
  ];
  return described;
}

function documentOf(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of routes)
    paths[each.path] = { ...paths[each.path], [each.method.toLowerCase()]: operationOf(each) };
  return {
    openapi: '3.1.0',
    info: { title: 'Andiron', version: '1', description: about.replaceAll('\n', ' ') },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        failure: { description: 'It was refused, or failed.', content: json(errorSchema, 'output') },
      },
    },
  };
}

function operationOf({ name, summary, path, query, body, answer, events }: Route): object {
  const parameters = [
    ...(path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      : []),
    ...(query ? queryParameters(query) : []),
  ];
  const content =
    answer === 'file'
      ? { 'application/octet-stream': {} }
      : {
          ...json(answer, 'output'),
          ...(events && { 'text/event-stream': { schema: schemaOf(events, 'output') } }),
        };
  return {
    operationId: name,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body, 'input') } }),
    responses: {
      200: { description: summary, content },
      default: { $ref: '#/components/responses/failure' },
    },
  };
}

const queryParameters = (query: z.ZodObject): object[] =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));

const json = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: schemaOf(schema, io) },
});

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return made;
}
