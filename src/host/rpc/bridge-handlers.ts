/** What a bridge may ask, with the platform that its connection is bound to. */
import { bridgeMethods, type BridgeMethods } from '../../protocol/bridge-methods.ts';
import { ownPlatforms, type Principal } from '../../protocol/principal.ts';
import { serve, type Handlers, type ServeOptions } from '../../protocol/rpc-server.ts';
import type { Transport } from '../../protocol/transport.ts';
import { attachmentHandlers, type AttachmentHandlerDeps } from './attachment-handlers.ts';
import type { FileChanges } from '../file-changes/file-changes.ts';
import type { IncomingMessages } from '../inbox/incoming-messages.ts';

export interface BridgeHandlerDeps {
  incoming: IncomingMessages;
  files: AttachmentHandlerDeps;
  fileChanges: Pick<FileChanges, 'readResult'>;
}

/** Nobody in particular: each message says who wrote it. */
const bridgeAt = (platform: string): Principal => ({
  userId: '',
  level: 'guest',
  platform,
  tokenId: null,
  modules: [],
});

type Serving = Pick<ServeOptions<BridgeMethods>, 'epoch' | 'onInternalError' | 'settle' | 'begin'>;

/**
 * A connection without any of the host's other methods: whoever takes over a bridge can write as the people of its platform
 * and as nobody else. Throws for a platform that is Andiron's own.
 */
export function serveBridge(
  transport: Transport,
  platform: string,
  { epoch, onInternalError, settle, begin, ...deps }: Serving & BridgeHandlerDeps,
): void {
  if (ownPlatforms.has(platform)) throw new Error(`${platform} is no platform of a bridge`);
  serve({
    transport,
    methods: bridgeMethods,
    handlers: bridgeHandlers(platform, deps),
    principal: bridgeAt(platform),
    accessOf: () => ({ needs: 'guest', on: 'any' }),
    owns: () => false,
    epoch,
    onInternalError,
    ...(settle && { settle }),
    ...(begin && { begin }),
  });
}

function bridgeHandlers(
  platform: string,
  { incoming, files, fileChanges }: BridgeHandlerDeps,
): Handlers<BridgeMethods> {
  const attaching = attachmentHandlers(files);
  return {
    'bridge/open': () => ({ waiting: incoming.open(platform) }),
    'bridge/receive': (message) => ({ id: incoming.receive(platform, message) }),
    'bridge/answer': ({ id }) => incoming.answer(platform, id),
    'bridge/line': ({ id }) => ({ ahead: incoming.ahead(platform, id) }),
    'bridge/piece': ({ id, piece, state }) => {
      incoming.piece(platform, id, piece, state);
      return {};
    },
    'bridge/delivered': ({ id }) => {
      incoming.delivered(platform, id);
      return {};
    },
    'attachment/add': attaching['attachment/add'],
    'attachment/add-upload': attaching['attachment/add-upload'],
    'upload/begin': attaching['upload/begin'],
    'upload/add': attaching['upload/add'],
    'upload/cancel': attaching['upload/cancel'],
    'bridge/read-file': async ({ id, fileId }) => {
      const sessionId = incoming.sessionOfFile(platform, id, fileId);
      const { name, mime, bytes } = await fileChanges.readResult(sessionId, fileId);
      return { name, mime, data: Buffer.from(bytes).toString('base64') };
    },
  };
}
