/** Resources and prompts of servers, as the owner's window asks. */
import type { mcpOfferMethods } from '../../protocol/mcp-offers.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Offers } from '../mcp/offers.ts';

export function mcpOfferHandlers(offers: Offers): Handlers<typeof mcpOfferMethods> {
  return {
    'mcp/resources': ({ query }) => offers.resources(query),
    'mcp/attach-resource': async ({ server, uri }) => ({ attachment: await offers.attach(server, uri) }),
    'mcp/prompts': async () => ({ prompts: await offers.prompts() }),
    'mcp/prompt': ({ server, name, values }) => offers.prompt(server, name, values),
  };
}
