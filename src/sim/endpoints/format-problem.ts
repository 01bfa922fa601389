import { judgeFormat } from '../grammar/format-verdict.ts';
import type { SimModel } from '../models.ts';
import type { JsonObject } from '../render/index.ts';
import { refuse, type Refusal } from '../wire/outcome.ts';
import { STOPPED } from './failures.ts';

export interface AskedFormat {
  format: unknown;
  model: SimModel;
  raw: boolean;
  hasTools: boolean;
}

const UNREADABLE = 'Failed to initialize samplers: failed to parse grammar';
const UNCONVERTIBLE = 'JSON schema conversion failed:\n';
/** The template's own grammar is made in the same step, and its failure is told around it. */
const NO_PARSER = 'Unable to generate parser for this template. Automatic parser generation failed: ';

const NO_FIELD = `Field 'json_schema': "json_schema": `;

/** What the engine says to a `format` that it cannot make a grammar of; `stuck`: it never says anything again. */
export function formatProblem({ format, model, raw, hasTools }: AskedFormat): Refusal | 'stuck' | undefined {
  if (format === undefined || format === '' || format === 'json') return undefined;
  if (!isObject(format)) {
    const shown = JSON.stringify(JSON.stringify(format));
    return refuse(500, `invalid format: ${shown}; expected "json" or a valid JSON Schema object`);
  }
  if (hasTools && model.refusesFormatBesideTools) return badRequest('failed to parse grammar');
  const verdict = judgeFormat(format);
  switch (verdict.kind) {
    case 'taken':
      return undefined;
    case 'refused':
      return badRequest(UNREADABLE);
    case 'errors': {
      const isNative = model.path === 'native' && !raw;
      return badRequest(`${isNative ? NO_PARSER : NO_FIELD}${UNCONVERTIBLE}${verdict.errors.join('\n')}`);
    }
    case 'crash':
      return refuse(500, STOPPED);
    case 'stuck':
      return 'stuck';
  }
}

function badRequest(message: string): Refusal {
  return refuse(400, JSON.stringify({ error: { code: 400, message, type: 'invalid_request_error' } }));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
