/** Ways in: what the owner has chosen, kept here; whoever started this host starts and ends their processes. */
import type { Log } from '../../platform/log.ts';
import type { BridgeSettings, GatewaySettings } from '../../protocol/bridge-settings.ts';
import { AndironError, toWireError } from '../../protocol/errors.ts';
import {
  gatewayPort,
  gatewayWay,
  wayIds,
  waySettingsSchema,
  type Way,
  type WayId,
  type WaySettings,
  type WayState,
} from '../../protocol/way-methods.ts';
import type { Store } from '../store/store.ts';
import type { GatewayAuthority } from './gateway-authority.ts';
import type { WaySecrets } from './way-secrets.ts';

export interface WantedWay {
  id: WayId;
  settings: BridgeSettings | GatewaySettings;
}

export interface WaysDeps {
  store: Pick<Store, 'readSetting' | 'writeSetting'>;
  secrets: WaySecrets;
  authority: GatewayAuthority;
  /** Gets all that are to run, with their secrets; whatever else runs is to end. */
  onWanted: (wanted: WantedWay[]) => void;
  onChange: () => void;
  log: Log;
}

export interface WayChanges {
  settings: { [Name in keyof WaySettings]?: WaySettings[Name] | undefined };
  secret?: string | null | undefined;
}

export type Ways = ReturnType<typeof createWays>;

const keyOf = (id: WayId): string => `way:${id}`;
const defaultsOf = (id: WayId): WaySettings => ({
  isOn: false,
  isOnNetwork: false,
  port: id === gatewayWay ? gatewayPort : 7474,
  answerUrl: null,
});

export function createWays({ store, secrets, authority, onWanted, onChange, log }: WaysDeps) {
  const states = new Map<WayId, WayState>();
  let starts = 0;
  const settingsOf = (id: WayId): WaySettings =>
    store.readSetting(keyOf(id), waySettingsSchema) ?? defaultsOf(id);

  /** Other devices, not this one alone. */
  const isForOthers = (id: WayId): boolean => id === gatewayWay && settingsOf(id).isOnNetwork;

  const hasSecret = (id: WayId): Promise<boolean> =>
    id === gatewayWay ? Promise.resolve(true) : secrets.has(id);

  const shown = async (id: WayId): Promise<Way> => ({
    id,
    ...settingsOf(id),
    hasSecret: await hasSecret(id),
    certificatePath: isForOthers(id) ? authority.path : null,
    state: states.get(id) ?? { state: 'off' },
  });

  const wantedSettings = async (id: WayId): Promise<WantedWay['settings'] | null> => {
    const { isOn, port, answerUrl } = settingsOf(id);
    if (id === gatewayWay && isOn)
      return { kind: 'gateway', port, authority: isForOthers(id) ? await authority.get() : null };
    const secret = isOn && id !== gatewayWay ? await secrets.get(id) : null;
    if (secret === null) return null;
    if (id === 'webhook') return { kind: 'webhook', port, secret, answerUrl };
    return { kind: 'telegram', token: secret, apiRoot: null };
  };

  /**
   * Never rejects: a way whose secret cannot be had says so, and the others run. The keychain may wait for the person for as
   * long as they like, so nothing comes of a start once there is a newer one, which has read what was chosen since.
   */
  const start = async (): Promise<void> => {
    starts += 1;
    const own = starts;
    const wanted: WantedWay[] = [];
    for (const id of wayIds) {
      try {
        const settings = await wantedSettings(id);
        if (settings) wanted.push({ id, settings });
      } catch (error) {
        if (own !== starts) return;
        log.warn('A way in cannot be started', { id, error: String(error) });
        const { message, advice = '' } = toWireError(error);
        states.set(id, { state: 'failed', message, advice });
        onChange();
      }
    }
    if (own === starts) onWanted(wanted);
  };

  return {
    start,
    list: (): Promise<Way[]> => Promise.all(wayIds.map(shown)),
    async change(id: WayId, { settings, secret }: WayChanges): Promise<Way> {
      if (secret !== undefined && id === gatewayWay)
        throw new AndironError(
          'invalid_params',
          'The gateway has no secret.',
          'Each program has a token: make one under Programs.',
        );
      if (secret !== undefined) await secrets.set(id, secret);
      const next = (): WaySettings => changed(settingsOf(id), { settings, secret });
      if (next().isOn && !(await hasSecret(id)))
        throw new AndironError(
          'invalid_params',
          'This needs its secret first.',
          'Set the secret, then turn it on.',
        );
      const chosen = next();
      store.writeSetting(keyOf(id), chosen);
      // Its process says of itself that it has ended, but this one may never have had any.
      if (!chosen.isOn && states.get(id)?.state === 'failed') states.delete(id);
      await start();
      onChange();
      return shown(id);
    },
    /** What its process says, or whoever started it. */
    stateChanged(id: string, state: WayState): void {
      const known = wayIds.find((each) => each === id);
      if (!known) return;
      states.set(known, state);
      onChange();
    },
  };
}

const changed = (before: WaySettings, { settings, secret }: WayChanges): WaySettings => ({
  isOn: secret === null ? false : (settings.isOn ?? before.isOn),
  isOnNetwork: settings.isOnNetwork ?? before.isOnNetwork,
  port: settings.port ?? before.port,
  answerUrl: settings.answerUrl === undefined ? before.answerUrl : settings.answerUrl,
});
