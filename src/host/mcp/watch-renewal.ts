/** Why a renewal failed. The library asks for a new sign-in also where the network, or whoever grants it, is only down. */
import type { FetchLike } from '@modelcontextprotocol/client';

/** Of a client: too slow, or too often. */
const passing = new Set([408, 425, 429]);

export function watchRenewal(send: FetchLike) {
  let hasFault = false;
  let isRefused = false;
  return {
    fetch: async (...[address, init]: Parameters<FetchLike>): Promise<Response> => {
      try {
        const response = await send(address, init);
        const { status } = response;
        if (status >= 500 || passing.has(status)) hasFault = true;
        // Nothing else is posted in a renewal than what was granted.
        else if (status >= 400 && init?.method === 'POST') isRefused = true;
        return response;
      } catch (error) {
        hasFault = true;
        throw error;
      }
    },
    /** Nothing that was granted was refused: it may be good, and be renewed later. */
    isFault: (): boolean => hasFault && !isRefused,
  };
}
