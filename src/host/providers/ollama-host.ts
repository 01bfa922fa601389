/** Another Ollama, on this machine or another one: it is asked, but not watched, loaded or freed. */
import { createOllamaApi } from '../../ollama/api.ts';
import { trainedContext } from '../../ollama/model-info.ts';
import { withoutEndSlash, type HostKindEntry } from './host-kind.ts';
import { createOllamaProvider } from './ollama.ts';

export const ollamaHost: HostKindEntry = {
  takesKey: false,
  baseUrl: withoutEndSlash,
  createProvider: (_host, { clock }, images) => createOllamaProvider({ clock, images }),
  async listModels({ url }, { clock }, signal) {
    const models = await createOllamaApi(clock).tags(url, signal);
    return models.map(({ name }) => ({ model: name, contextTokens: null }));
  },
  async trainedContext({ url }, { clock }, model, signal) {
    return trainedContext(await createOllamaApi(clock).show(url, model, signal));
  },
};
