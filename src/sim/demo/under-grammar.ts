/** The demo under a grammar: which tools it allows, and the same reply in its form. */
import { Reply } from '../script/reply.ts';
import type { Json, JsonObject, Tool } from '../render/index.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function branches(format: unknown): JsonObject[] {
  if (!isObject(format)) return [];
  const any = format['anyOf'];
  return (Array.isArray(any) ? any : [format]).filter(isObject);
}

const propertiesOf = (schema: Json | undefined): JsonObject => {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
};

/** Of the branches `{call: <name>, with: {…}}`, which tools may share. */
export function toolsOfGrammar(format: unknown): Tool[] {
  return branches(format).flatMap((branch): Tool[] => {
    const { call, with: args } = propertiesOf(branch);
    const names = isObject(call) ? (call['enum'] ?? [call['const']]) : [];
    const parameters = { type: 'object', properties: propertiesOf(args) };
    return (Array.isArray(names) ? names : []).flatMap((name) =>
      typeof name === 'string'
        ? [{ type: 'function', function: { name, description: '', parameters } } as Tool]
        : [],
    );
  });
}

const mayAnswer = (format: unknown): boolean =>
  branches(format).some((branch) => propertiesOf(branch)['answer'] !== undefined);

/** The same reply as a grammar has it written: its first call, or its text. What the grammar forbids becomes a look around. */
export function inForm(written: Reply, format: unknown): Reply {
  const rest = written.steps.filter(({ do: what }) => !['thinking', 'text', 'call'].includes(what));
  const call = written.steps.find((step) => step.do === 'call');
  const text = written.steps.flatMap((step) => (step.do === 'text' ? [step.text] : [])).join('');
  const paced = new Reply(rest);
  if (call?.do === 'call') return paced.constrainedCall(call.name, call.arguments);
  const [first] = toolsOfGrammar(format);
  if (mayAnswer(format) || first === undefined) return paced.constrainedAnswer(text);
  return paced.constrainedCall(first.function.name, {});
}
