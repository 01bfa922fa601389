/** The demo under a grammar: which tools it allows, and the same reply in its form. */
import { Reply, type ReplySteps } from '../script/reply.ts';
import { grammarProblem, withoutNumber, writeUnderGrammar } from '../script/grammar.ts';
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

const argumentsOf = (schema: Json | undefined): [string, Json][] =>
  Object.entries(propertiesOf(schema)).map(([key, value]) => [withoutNumber(key), value]);

/** Of the branches `{call: <name>, with: {…}}`, which tools may share. */
export function toolsOfGrammar(format: unknown): Tool[] {
  return branches(format).flatMap((branch): Tool[] => {
    const { call, with: args } = propertiesOf(branch);
    const names = namesIn(call);
    const parameters = { type: 'object', properties: Object.fromEntries(argumentsOf(args)) };
    return names.map(
      (name) => ({ type: 'function', function: { name, description: '', parameters } }) as Tool,
    );
  });
}

/** An answer alone, or with what it tells: `answer_why_not`. */
const mayAnswer = (format: unknown): boolean =>
  branches(format).some((branch) =>
    Object.keys(propertiesOf(branch)).some((key) => /^answer(?:_|$)/.test(key)),
  );

/** The same reply as a grammar has it written: its first call, or its text. What the grammar forbids becomes a look around. */
export function inForm(written: ReplySteps, format: unknown): Reply {
  const rest = written.steps.filter(({ do: what }) => !['thinking', 'text', 'call'].includes(what));
  const call = written.steps.find((step) => step.do === 'call');
  const text = written.steps.flatMap((step) => (step.do === 'text' ? [step.text] : [])).join('');
  const paced = new Reply(rest);
  const [first] = callBranches(format);
  if (call?.do === 'call') {
    const branch = callBranches(format).find(({ call: names }) => namesIn(names).includes(call.name));
    const made = { call: call.name, with: { ...listedArguments(branch?.['with']), ...call.arguments } };
    const isAllowed = grammarProblem(format, writeUnderGrammar(made, format), false) === undefined;
    if (isAllowed || first === undefined) return paced.constrained(made);
  } else if (mayAnswer(format) || first === undefined) return paced.constrainedAnswer(text);
  const [name = ''] = namesIn(first['call']);
  return paced.constrainedCall(name, sampleArguments(first['with']));
}

const callBranches = (format: unknown): JsonObject[] =>
  branches(format)
    .map((branch) => propertiesOf(branch))
    .filter((branch) => branch['call'] !== undefined);

function namesIn(schema: Json | undefined): string[] {
  if (!isObject(schema)) return [];
  const { enum: values, const: only } = schema;
  const listed = Array.isArray(values) ? values : [only];
  return listed.filter((value) => typeof value === 'string');
}

const requiredIn = (schema: Json | undefined): [string, Json][] => {
  const required = isObject(schema) ? schema['required'] : undefined;
  return Object.entries(propertiesOf(schema)).flatMap(([key, value]): [string, Json][] =>
    Array.isArray(required) && required.includes(key) ? [[withoutNumber(key), value]] : [],
  );
};

/** What the grammar asks for and the client has listed, such as the folders that there are. */
const listedArguments = (schema: Json | undefined): JsonObject =>
  Object.fromEntries(
    requiredIn(schema).flatMap(([key, value]) => {
      const [listed] = namesIn(value);
      return listed === undefined ? [] : [[key, listed]];
    }),
  );

/** Whatever is free text becomes a dot. */
const sampleArguments = (schema: Json | undefined): JsonObject => ({
  ...Object.fromEntries(requiredIn(schema).map(([key]) => [key, '.'])),
  ...listedArguments(schema),
});
