/** Who searches the web, in the settings. */
export const webPane = {
  title: 'Web search',
  help: 'Profiles with web_search find pages with it. Each host asks you before it is read.',
  failed: 'The settings of web search could not be read.',
  services: { searxng: 'SearXNG', brave: 'Brave', tavily: 'Tavily', exa: 'Exa', ollama: 'Ollama' },
  used: (service: string): string => `Searches go to ${service}.`,
  none: 'No model can search the web yet. Name your SearXNG or set a key.',
  order: 'Andiron uses your SearXNG first, then the first service with a key.',

  address: 'Your SearXNG',
  addressHelp: 'Its settings.yml must list json under search.formats.',
  save: 'Save',
  remove: 'Remove',
  removeAddress: 'Remove the address of your SearXNG',

  keySaved: 'Key saved',
  noKey: 'No key',
  setKey: 'Set key',
  changeKey: 'Change key',
  keyOf: (service: string): string => `Key for ${service}`,
  removeKeyOf: (service: string): string => `Remove the key for ${service}`,

  query: 'Test search',
  firstQuery: 'weather today',
  tryIt: 'Try it',
  found: (service: string): string => `${service} found:`,
  nothing: (service: string): string => `${service} answers, and found nothing. Try other words.`,
};
