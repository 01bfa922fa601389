import type { webPane as english } from '../en/web-words.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** Who searches the web, in the settings. */
export const webPane: InAnyWords<typeof english> = {
  title: 'Websuche',
  help: 'Profile mit web_search finden damit Seiten. Vor jedem Host fragt Andiron dich.',
  failed: 'Die Einstellungen der Websuche konnten nicht gelesen werden.',
  services: { searxng: 'SearXNG', brave: 'Brave', tavily: 'Tavily', exa: 'Exa', ollama: 'Ollama' },
  used: (service) => `Suchanfragen gehen an ${service}.`,
  none: 'Noch kann kein Modell im Web suchen. Nenne dein SearXNG oder hinterleg einen Schlüssel.',
  order: 'Andiron nutzt zuerst dein SearXNG, dann den ersten Dienst mit Schlüssel.',

  address: 'Dein SearXNG',
  addressHelp: 'In seiner settings.yml muss json unter search.formats stehen.',
  save: 'Speichern',
  remove: 'Entfernen',
  removeAddress: 'Adresse deines SearXNG entfernen',

  keySaved: 'Schlüssel gespeichert',
  noKey: 'Kein Schlüssel',
  setKey: 'Schlüssel hinterlegen',
  changeKey: 'Schlüssel ändern',
  keyOf: (service) => `Schlüssel für ${service}`,
  removeKeyOf: (service) => `Schlüssel für ${service} entfernen`,

  query: 'Testsuche',
  firstQuery: 'Wetter heute',
  tryIt: 'Ausprobieren',
  found: (service) => `${service} hat gefunden:`,
  nothing: (service) => `${service} antwortet, hat aber nichts gefunden. Versuch andere Wörter.`,
};
