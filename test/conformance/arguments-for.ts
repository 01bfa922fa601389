/** Arguments that a flat schema takes. */
const byType: Readonly<Record<string, unknown>> = {
  string: 'word',
  number: 2,
  integer: 3,
  boolean: true,
  array: [],
  object: {},
};

export function argumentsFor({
  properties = {},
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described = Object.entries(properties as Record<string, { type?: string }>);
  return Object.fromEntries(described.map(([name, { type = 'string' }]) => [name, byType[type]]));
}
