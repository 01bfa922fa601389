/** A log without calls and results, for templates that do not show them: both become what the two sides said. */
import { withoutPlaces } from './images.ts';
import type { ContextMessage, ModelCall } from './provider.ts';

type Reply = Extract<ContextMessage, { role: 'assistant' }>;
type Result = Extract<ContextMessage, { role: 'tool' }>;

/** Results that stand together become one user message, so that roles alternate. */
export function callsAsText(messages: readonly ContextMessage[], textBesideCall: boolean): ContextMessage[] {
  const said: ContextMessage[] = [];
  let results: Result[] = [];
  const endResults = (): void => {
    if (results.length > 0) said.push(asSaid(results));
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message);
      continue;
    }
    endResults();
    said.push(message.role === 'assistant' ? inWords(message, textBesideCall) : message);
  }
  endResults();
  return said;
}

function asSaid(results: readonly Result[]): ContextMessage {
  const content = results.map(resultText).join('\n\n');
  const files = results.flatMap((result) => result.files ?? []);
  if (files.length === 0) return { role: 'user', content };
  return { role: 'user', content: withoutPlaces(content), files };
}

function inWords(reply: Reply, textBesideCall: boolean): Reply {
  if (reply.calls.length === 0) return reply;
  const beside = textBesideCall && reply.content !== '' ? [reply.content] : [];
  return { ...reply, content: [...beside, ...reply.calls.map(callText)].join('\n'), calls: [] };
}

/** As a constrained reply writes it, so that the model reads its own words again. */
function callText({ name, args }: ModelCall): string {
  return JSON.stringify({ call: name, with: args });
}

function resultText({ tool, content }: Result): string {
  return `Result of ${tool}:\n${content}`;
}
