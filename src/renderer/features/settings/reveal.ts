/** From a row's name to the row on the screen: in view, marked, with the keyboard on its control. */
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

export interface ShownRow {
  /** What is marked. */
  row: HTMLElement;
  /** What takes the keyboard. */
  control: HTMLElement;
}

/** Words that name a row: headings, terms, labels and the first line of a row. */
const names = 'h2, h3, dt, th, p, label, summary, legend, span.grow.cut, [role=tab]';
const rows = `.${profilesStyles.flag}, .${settingsStyles.setRow}, .${settingsStyles.rows} > div, .${settingsStyles.choice}, tr, li, [role=tab]`;
const controls =
  'input:not([type=hidden]):not(:disabled), button:not(:disabled), select, textarea, [role=switch], [tabindex="0"]';

/** null = this pane does not show it, or not yet. */
export function findShown(pane: ParentNode, label: string): ShownRow | null {
  const named =
    [...pane.querySelectorAll<HTMLElement>(names)].find((element) => ownWords(element) === label) ??
    [...pane.querySelectorAll<HTMLElement>('[aria-label]')].find(
      (element) => element.getAttribute('aria-label') === label,
    );
  if (!named) return null;
  const row = named.closest<HTMLElement>(rows) ?? named;
  const inside = [...row.querySelectorAll<HTMLElement>(controls)];
  // Of a group of radio buttons the chosen one is the tab stop.
  const chosen = inside.find((element) => element instanceof HTMLInputElement && element.checked);
  const control = row.matches(controls) ? row : (chosen ?? inside[0] ?? row);
  return { row, control };
}

/** Until the row is there: Tab then goes on in its section. */
export function waitIn(pane: HTMLElement): void {
  const panel = pane.closest<HTMLElement>('[role=tabpanel]') ?? pane;
  panel.tabIndex = -1;
  panel.focus();
}

/** Lets a pane show all its rows again; false = it does. */
export function widen(pane: ParentNode): boolean {
  const narrows = pane.querySelectorAll<HTMLElement>('[data-narrows]');
  for (const each of narrows) each.click();
  return narrows.length > 0;
}

/** Opens the tab of this name inside a pane, where it is not open. */
export function openPage(pane: ParentNode, page: string): void {
  const tabs = [...pane.querySelectorAll<HTMLElement>('[role=tab][aria-selected=false]')];
  tabs.find((tab) => ownWords(tab) === page)?.click();
}

/** The words of an element without those of counts and marks beside them. */
function ownWords(element: HTMLElement): string {
  const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  const words = own.length > 0 ? own.map((node) => node.textContent).join('') : element.textContent;
  return words.trim();
}

/** Returns the way to take the mark away; it leaves by itself when the keyboard goes elsewhere. */
export function showRow({ row, control }: ShownRow): () => void {
  row.dataset['sought'] = '';
  row.scrollIntoView({ block: 'center' });
  // A heading has no control: it takes the keyboard itself, so that Tab goes on from there.
  const borrowed = control === row && row.tabIndex < 0 && !row.hasAttribute('tabindex');
  if (borrowed) row.tabIndex = -1;
  control.focus({ preventScroll: true });
  const unmark = (): void => {
    delete row.dataset['sought'];
    if (borrowed) row.removeAttribute('tabindex');
    control.removeEventListener('blur', unmark);
  };
  control.addEventListener('blur', unmark);
  return unmark;
}
