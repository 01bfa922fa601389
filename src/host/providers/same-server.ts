/** Whether two addresses lead to the same server, however they are written and whichever dialect of it they mean. Pure. */

const ownNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function placeOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port, pathname } = new URL(address);
  const name = ownNames.has(hostname) ? 'localhost' : hostname;
  const path = pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return `${protocol}//${name}:${port}${path}`;
}

export function isSameServer(one: string, other: string): boolean {
  const place = placeOf(one);
  return place !== null && place === placeOf(other);
}
