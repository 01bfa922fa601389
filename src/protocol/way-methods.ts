/** Ways in that run with Andiron, as the owner's window turns them on and off. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const wayIds = ['gateway', 'webhook', 'telegram'] as const;
export type WayId = (typeof wayIds)[number];
/** Where programs look for it unless somebody chose another one. */
export const gatewayPort = 11_480;
/** Programs come in through it, each with a token of its own. */
export const gatewayWay: WayId = 'gateway';

const wayStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['off', 'starting']) }),
  /** `at`: an address, or the name of an account. */
  z.object({ state: z.literal('listening'), at: z.string() }),
  /** It is not started again until it is changed. */
  z.object({ state: z.literal('failed'), message: z.string(), advice: z.string() }),
]);
export type WayState = z.infer<typeof wayStateSchema>;

const settingsFields = () => ({
  isOn: z.boolean(),
  /** Of the gateway: other devices of the local network reach it too, over TLS. */
  isOnNetwork: z.boolean().default(false),
  /** Of gateway and webhook. */
  port: z.number().int().min(1).max(65_535),
  /** Of the webhook: where answers are sent; null = they are only returned. */
  answerUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable(),
});
export const waySettingsSchema = z.object(settingsFields());
export type WaySettings = z.infer<typeof waySettingsSchema>;

const waySchema = lazyObject(() => ({
  id: z.enum(wayIds),
  ...settingsFields(),
  /** Without one it cannot be turned on; the gateway has none and needs none. The secret itself never comes back. */
  hasSecret: z.boolean(),
  /** Of the gateway on the network: where the certificate lies that programs of other devices trust. */
  certificatePath: z.string().nullable(),
  state: wayStateSchema,
}));
export type Way = z.infer<typeof waySchema>;

export type WayChanges = Omit<z.input<(typeof wayMethods)['way/change']['params']>, 'id'>;

export const wayMethods = {
  'way/list': { params: z.object({}), result: lazyObject(() => ({ ways: z.array(waySchema) })) },
  /** What is not named stays. A way that is on starts again with it. */
  'way/change': {
    params: lazyObject(() => ({
      id: z.enum(wayIds),
      // Without what is written where nothing is: what is not named stays.
      settings: z.object({ ...settingsFields(), isOnNetwork: z.boolean() }).partial(),
      /** The secret of the webhook, or the bot's token; null removes it and turns the way off. */
      secret: z.string().trim().min(1).max(500).nullable().optional(),
    })),
    result: lazyObject(() => ({ way: waySchema })),
  },
} as const;
