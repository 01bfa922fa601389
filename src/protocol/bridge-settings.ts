/** What a bridge is started with, its secret included. */
import { z } from 'zod';

const webUrl = z.url({ protocol: /^https?$/ }).max(2_000);

export const bridgeSettingsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('webhook'),
    /** 0 = any free one. */
    port: z.number().int().min(0).max(65_535),
    secret: z.string().min(1),
    /** null = answers are only returned. */
    answerUrl: webUrl.nullable(),
  }),
  z.object({
    kind: z.literal('telegram'),
    token: z.string().min(1),
    /** null = Telegram's own servers; else a Bot API server that somebody runs. */
    apiRoot: webUrl.nullable(),
  }),
]);
/** Of the gateway, which is started as a bridge is and brings no messages of a platform. */
export const gatewaySettingsSchema = z.object({
  kind: z.literal('gateway'),
  port: z.number().int().min(0).max(65_535),
  /** Who signs its certificates on the local network, as PEM; null = only this machine reaches it. */
  authority: z.object({ certificate: z.string(), key: z.string() }).nullable(),
});
export type GatewaySettings = z.infer<typeof gatewaySettingsSchema>;

export type BridgeSettings = z.infer<typeof bridgeSettingsSchema>;
