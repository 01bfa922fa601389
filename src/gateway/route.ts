/** What the gateway answers is listed as routes, each with the schemas that check it and that `openapi.json` is made of. */
import { z } from 'zod';
import { ApiFailure } from './api-failure.ts';
import type { Asking } from './asking.ts';

/** The bytes of a file, to be saved by whoever asked. */
export class FileAnswer {
  readonly name: string;
  readonly bytes: Uint8Array;

  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}

interface RouteForm<Query extends z.ZodObject, Body extends z.ZodType> {
  method: 'GET' | 'POST';
  /** With `{id}` for one part of it. */
  path: string;
  /** Of the operation, in `openapi.json`. */
  name: string;
  summary: string;
  query?: Query;
  body?: Body;
  /** Throws what is said better than by the schema. */
  check?: (body: unknown) => void;
  answer: z.ZodType | 'file';
  /** Of the events, where the answer can be a stream. */
  events?: z.ZodType;
}

interface Asked<Query, Body> {
  /** Of the path; '' = it has none. */
  id: string;
  query: Query;
  body: Body;
}

export interface Route extends RouteForm<z.ZodObject, z.ZodType> {
  /** Parses what was sent. Resolves with what is sent back as JSON or as a file; null = it went out as a stream. */
  handle(asked: Asked<unknown, unknown>, asking: Asking): Promise<object | null>;
}

export function route<Query extends z.ZodObject, Body extends z.ZodType>(
  form: RouteForm<Query, Body> & {
    handle(asked: Asked<z.output<Query>, z.output<Body>>, asking: Asking): Promise<object | null>;
  },
): Route {
  return {
    ...form,
    handle({ id, query, body }, asking) {
      form.check?.(body);
      const parsed = {
        id,
        query: parse(form.query ?? z.object({}), query) as z.output<Query>,
        body: parse(form.body ?? z.unknown(), body) as z.output<Body>,
      };
      return form.handle(parsed, asking);
    },
  };
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiFailure(400, 'invalid_params', z.prettifyError(parsed.error));
}

/** The route of a request, and the id in its path; null = there is none. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } | null {
  const parts = path.split('/');
  for (const each of routes) {
    const id = each.method === method ? idIn(each.path.split('/'), parts) : null;
    if (id !== null) return { route: each, id };
  }
  return null;
}

function idIn(form: readonly string[], parts: readonly string[]): string | null {
  if (form.length !== parts.length) return null;
  let id = '';
  for (const [at, part] of parts.entries()) {
    if (form[at] === '{id}' && /^[\w-]{1,200}$/.test(part)) id = part;
    else if (form[at] !== part) return null;
  }
  return id;
}
