/** What the families share in reading a request. */

import { parseModelName } from '../wire/names.ts';
import type { Message, Refusal, RenderRequest, ThinkValue } from './types.ts';

/** Printed where a request does not say which day it is. */
export const UNKNOWN_DAY = '1970-01-01';

/** A message with its place in the request. */
export interface Entry {
  message: Message;
  index: number;
}

/** The messages in order, roles in lower case as Ollama decodes them. */
export function entriesOf(request: RenderRequest): Entry[] {
  return request.messages.map((message, index) => ({
    message: { ...message, role: message.role.toLowerCase() },
    index,
  }));
}

/** On a model that can think, an absent `think` means true. */
export function wantsThinking(think: ThinkValue | undefined): boolean {
  return think !== false;
}

/** The refusal of a model that cannot think, where the request asks for it. */
export function refuseThinking(request: RenderRequest): Refusal | undefined {
  return request.think === undefined || request.think === false
    ? undefined
    : { ok: false, status: 400, error: `${JSON.stringify(request.model)} does not support thinking` };
}

/** The refusal of a model that takes no tools, where the request offers some. It prints the full name. */
export function refuseTools(request: RenderRequest): Refusal | undefined {
  if ((request.tools ?? []).length === 0) {
    return undefined;
  }
  const name = parseModelName(request.model);
  const full = name.ok ? name.value.full : request.model;
  return { ok: false, status: 400, error: `${full} does not support tools` };
}
