/** What a profile of Seatbelt says about one operation, for tests on systems that have no Seatbelt. */

type Form = string | Form[];

export interface Profile {
  /** Whether an operation on this path, service or address is allowed. */
  allows(operation: string, target?: string): boolean;
  /** Every name of that filter that an allowing rule has and no later one takes back. */
  allowed(operation: string, filter: string): string[];
}

interface Rule {
  isAllowing: boolean;
  operations: string[];
  filters: Form[];
}

export function readProfile(text: string): Profile {
  const rules = parse(text).flatMap((form): Rule[] => {
    if (!Array.isArray(form) || (form[0] !== 'allow' && form[0] !== 'deny')) return [];
    const operations = form.slice(1).filter((each) => typeof each === 'string');
    const filters = form.slice(1).filter((each) => Array.isArray(each) && each[0] !== 'with');
    return [{ isAllowing: form[0] === 'allow', operations, filters }];
  });
  const allows = (operation: string, target = ''): boolean => {
    const about = rules.filter(({ filters }) => filters.length === 0 || filters.some((f) => isOf(f, target)));
    // A rule about the very operation wins over one about its family, and of both the last one.
    for (const name of [operation, ...families(operation), 'default']) {
      const last = about.findLast(({ operations }) => operations.includes(name));
      if (last) return last.isAllowing;
    }
    return false;
  };
  return {
    allows,
    allowed: (operation, filter) =>
      rules
        .filter(({ isAllowing, operations }) => isAllowing && operations.includes(operation))
        .flatMap(({ filters }) => filters)
        .flatMap((form) => (form[0] === filter && typeof form[1] === 'string' ? [form[1]] : []))
        .filter((name) => allows(operation, name))
        .toSorted(),
  };
}

/** `file-write-unlink` belongs to `file-write*`, which belongs to `file*`. */
const families = (operation: string): string[] =>
  operation.split('-').map((_, at, parts) => `${parts.slice(0, parts.length - at).join('-')}*`);

function isOf(filter: Form, target: string): boolean {
  const [kind, value, ...more] = filter as [string, Form, ...Form[]];
  if (kind === 'require-all') return [value, ...more].every((each) => isOf(each, target));
  if (kind === 'require-not') return !isOf(value, target);
  if (kind === 'subpath') return target === value || target.startsWith(`${String(value)}/`);
  if (kind === 'literal' || kind === 'global-name' || kind === 'sysctl-name') return target === value;
  if (kind === 'sysctl-name-prefix') return target.startsWith(String(value));
  if (kind === 'regex') return new RegExp(String(value)).test(target);
  // Of what kind a file is cannot be told by its name: all of them count as devices, and none as a folder.
  return kind === 'vnode-type' && value === 'CHARACTER-DEVICE';
}

function parse(text: string): Form[] {
  const stack: Form[][] = [[]];
  for (const [token] of text.matchAll(/;[^\n]*|[()]|"(?:[^"\\]|\\.)*"|[^\s()";]+/g)) {
    if (token.startsWith(';')) continue;
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const form = stack.pop() ?? [];
      stack.at(-1)?.push(form);
    } else stack.at(-1)?.push(token.startsWith('"') ? (JSON.parse(token) as string) : token);
  }
  if (stack.length !== 1) throw new Error('The profile is not closed.');
  return stack[0] ?? [];
}
