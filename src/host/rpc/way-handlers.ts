/** Ways in, as the owner's window asks. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { wayMethods } from '../../protocol/way-methods.ts';
import type { Ways } from '../ways/wanted-ways.ts';

export function wayHandlers(ways: Pick<Ways, 'list' | 'change'>): Handlers<typeof wayMethods> {
  return {
    'way/list': async () => ({ ways: await ways.list() }),
    'way/change': async ({ id, ...changes }) => ({ way: await ways.change(id, changes) }),
  };
}
