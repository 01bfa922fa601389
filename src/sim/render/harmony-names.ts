/** The names under which gpt-oss sees tools: identifiers, each only once. A name that is taken gets a number. */
export function harmonyNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const identifier = identifierOf(name);
    let unique = identifier;
    for (let number = 2; taken.has(unique); number++) {
      unique = `${identifier}_${number}`;
    }
    taken.add(unique);
    return unique;
  });
}

function identifierOf(name: string): string {
  const identifier = name.replace(/[\s.-]/g, '_').replace(/[^\w$]/g, '');
  return /^\d/.test(identifier) || identifier === '' ? `_${identifier}` : identifier;
}
