/**
 * Everything that a bridge may ask of the host: it hands in messages of its own platform and takes their answers away. The
 * platform belongs to the connection, so no message names one.
 */
import { z } from 'zod';
import { attachmentMethods } from './attachments.ts';
import { agentResponseSchema, incomingMessageFields, placeName } from './inbox-methods.ts';
import { lazyObject } from './lazy-object.ts';
import { resultFileMethods } from './result-files.ts';
import { uploadMethods } from './upload-methods.ts';

/** As the host knows the message. */
const id = z.string().min(1);
/** As the platform knows the message; unique in its channel. */
const messageId = z.string().min(1).max(200);

const platformMessageSchema = lazyObject(() => {
  const { platform: _bound, ...fields } = incomingMessageFields();
  return { ...fields, messageId };
});
export type PlatformMessage = z.infer<typeof platformMessageSchema>;

const waitingSchema = lazyObject(() => ({
  id,
  server: placeName,
  channel: placeName,
  thread: placeName,
  messageId,
}));
export type WaitingMessage = z.infer<typeof waitingSchema>;

const deliverySchema = lazyObject(() => ({
  response: agentResponseSchema,
  /** Pieces of the answer that arrived before; a bridge splits the same answer the same way each time. */
  sentPieces: z.number().int().nonnegative(),
  /** The piece behind those was on its way when a bridge ended, so it may have arrived. */
  isUncertain: z.boolean(),
  /** All of it arrived. */
  isDelivered: z.boolean(),
}));
export type Delivery = z.infer<typeof deliverySchema>;

const done = z.object({});

export const bridgeMethods = {
  /** First. Messages without a delivered answer, in the order in which they came; their work goes on from here. */
  'bridge/open': {
    params: z.object({}),
    result: lazyObject(() => ({ waiting: z.array(waitingSchema) })),
  },
  /**
   * Resolves when the message is stored, after which the platform may forget it. The same message again, by its channel and
   * id, has the same `id` and is answered once.
   */
  'bridge/receive': { params: platformMessageSchema, result: lazyObject(() => ({ id })) },
  /** Resolves with the answer once there is one. Every failure of a turn is an answer, too. */
  'bridge/answer': { params: lazyObject(() => ({ id })), result: deliverySchema },
  /** How many turns come before its own; 0 = none, or it is answered. */
  'bridge/line': {
    params: lazyObject(() => ({ id })),
    result: z.object({ ahead: z.number().int().nonnegative() }),
  },
  /** Before a piece is sent and after it arrived: `piece` counts from 0. */
  'bridge/piece': {
    params: lazyObject(() => ({
      id,
      piece: z.number().int().nonnegative(),
      state: z.enum(['begun', 'sent']),
    })),
    result: done,
  },
  /** Nothing of this message is to be sent any more. */
  'bridge/delivered': { params: lazyObject(() => ({ id })), result: done },
  /** Files of a message that is handed in next. */
  'attachment/add': attachmentMethods['attachment/add'],
  'attachment/add-upload': attachmentMethods['attachment/add-upload'],
  ...uploadMethods,
  /** A file of the answer to that message, as `file/read-result`. */
  'bridge/read-file': {
    params: lazyObject(() => ({ id, fileId: z.string().min(1) })),
    result: resultFileMethods['file/read-result'].result,
  },
} as const;
export type BridgeMethods = typeof bridgeMethods;
