/** Warum ein Aufruf fragt. Was der Host dazu nennt, Dateien und Seiten, steht in seinen Worten dahinter. */
import type { askedWhy as english } from '../en/asked-why.ts';

export const askedWhy: typeof english = {
  command: ({ why }) => why,
  protected: ({ why }) => `Diese Datei ist geschützt und fragt jedes Mal. ${why}`,
  // Steht der Satz darunter, so steht dabei, woher er ist.
  tainted: ({ why, quote }) =>
    `Fragt erneut: Die Sitzung hat Text gelesen, den du nicht geschrieben hast.${quote ? '' : ` ${why}`}`,
  unannounced: () => 'Andiron kennt dieses Modell noch nicht gut genug. Darum fragt jede Änderung.',
  skill: ({ why }) => `Der Skill nennt die Tools, die er braucht. Dieses gehört nicht dazu. ${why}`,
  policy: ({ host, why }) => (host ? 'Diese Sitzung fragt vor jedem Tool und vor jedem Host.' : why),
  host: ({ host }) =>
    `${host?.isPrivate ? 'Das liegt in deinem eigenen Netz. ' : ''}Andiron erreicht nur Hosts, die du erlaubst.`,
};
