/** Collections, as the owner's window asks. */
import type { Attachment } from '../../protocol/attachments.ts';
import type {
  Collection,
  collectionMethods,
  CollectionPlace,
  CollectionPrice,
  Passage,
} from '../../protocol/collection-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';

export interface CollectionControl {
  list(userId: string): Promise<{ collections: Collection[]; model: string | null }>;
  price(place: CollectionPlace): Promise<CollectionPrice>;
  add(userId: string, name: string, place: CollectionPlace): Promise<Collection>;
  rename(userId: string, id: string, name: string): void;
  remove(userId: string, id: string): Promise<void>;
  refresh(userId: string, id: string): void;
  search(
    userId: string,
    id: string,
    query: string,
    signal: AbortSignal,
  ): Promise<{ passages: Passage[]; byMeaning: boolean }>;
  attach(userId: string, id: string, query: string, signal: AbortSignal): Promise<Attachment>;
}

export function collectionHandlers(collections: CollectionControl): Handlers<typeof collectionMethods> {
  return {
    'collection/list': (_params, { principal }) => collections.list(principal.userId),
    'collection/price': (place) => collections.price(place),
    'collection/add': async ({ name, place }, { principal }) => ({
      collection: await collections.add(principal.userId, name, place),
    }),
    'collection/rename'({ collectionId, name }, { principal }) {
      collections.rename(principal.userId, collectionId, name);
      return {};
    },
    async 'collection/remove'({ collectionId }, { principal }) {
      await collections.remove(principal.userId, collectionId);
      return {};
    },
    'collection/refresh'({ collectionId }, { principal }) {
      collections.refresh(principal.userId, collectionId);
      return {};
    },
    'collection/search': ({ collectionId, query }, { principal, signal }) =>
      collections.search(principal.userId, collectionId, query, signal),
    'collection/attach': async ({ collectionId, query }, { principal, signal }) => ({
      attachment: await collections.attach(principal.userId, collectionId, query, signal),
    }),
  };
}
