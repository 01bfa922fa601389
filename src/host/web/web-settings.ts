/** Who is asked when the web is searched: the person's own SearXNG before any service that has a key. */
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import {
  keyedServices,
  type KeyedService,
  type SearchService,
  type WebChanges,
  type WebSettings,
} from '../../protocol/web-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { createSecretFile, type SecretFileDeps } from '../store/secret-file.ts';
import type { Store } from '../store/store.ts';
import { searxngAddress, type ServiceAccess } from './search-services.ts';

export interface WebSettingsDeps extends SecretFileDeps {
  store: Pick<Store, 'readSetting' | 'writeSetting'>;
}

const setting = 'web';
/** Which keys there are stands beside the address: reading them may ask the person. */
const settingSchema = lazyObject(() => ({
  searxng: z.string().nullable(),
  keys: z.array(z.enum(keyedServices)),
}));
/** Characters that an HTTP header can carry. */
const sendable = /^[\x21-\x7e]+$/;

export function createWebSettings({ store, ...deps }: WebSettingsDeps) {
  const secrets = createSecretFile<KeyedService>(
    { file: 'web-keys.json', effect: 'no saved key of a search service can be used' },
    deps,
  );
  const read = () => store.readSetting(setting, settingSchema) ?? { searxng: null, keys: [] };
  const used = (): SearchService | null => {
    const { searxng, keys } = read();
    return searxng === null ? (keyedServices.find((service) => keys.includes(service)) ?? null) : 'searxng';
  };
  return {
    list: (): WebSettings => ({ ...read(), used: used() }),
    used,
    /** null = nobody is set up. Rejects with AndironError where the key is kept and the system does not give it. */
    async access(): Promise<ServiceAccess | null> {
      const service = used();
      if (service === null) return null;
      const by = service === 'searxng' ? read().searxng : await secrets.get(service);
      return by === null ? null : { service, by };
    },
    async change({ searxng, key }: WebChanges): Promise<void> {
      if (searxng !== undefined)
        store.writeSetting(setting, {
          ...read(),
          searxng: searxng === null ? null : searxngAddress(searxng),
        });
      if (!key) return;
      const value = key.value?.trim() ?? null;
      if (value !== null && !sendable.test(value))
        throw new AndironError(
          'invalid_params',
          'A key cannot be empty, or contain spaces, line breaks or characters outside ASCII.',
          'Copy it again from where it is shown.',
        );
      await secrets.set(key.service, value);
      const others = read().keys.filter((service) => service !== key.service);
      store.writeSetting(setting, { ...read(), keys: value === null ? others : [...others, key.service] });
    },
  };
}
