/** Where a place in the text of a field is on the screen: a field does not say, so a copy of it is measured. */

/** What decides where lines break. */
const copied = [
  'direction',
  'fontFamily',
  'fontSize',
  'fontStyle',
  'fontVariantLigatures',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'paddingBottom',
  'paddingLeft',
  'paddingRight',
  'paddingTop',
  'tabSize',
  'textAlign',
  'textIndent',
  'wordSpacing',
] as const;

export interface CaretPlace {
  /** From the field's own corner, as if nothing of it were scrolled away. */
  left: number;
  top: number;
}

export function caretPlace(field: HTMLTextAreaElement, index: number): CaretPlace {
  const page = field.ownerDocument;
  const copy = page.createElement('div');
  const style = getComputedStyle(field);
  for (const property of copied) copy.style[property] = style[property];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    boxSizing: 'border-box',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
    width: `${field.clientWidth}px`,
  });
  const mark = page.createElement('span');
  // The word around it breaks as it does in the field.
  mark.textContent = field.value.slice(index) || '.';
  copy.append(field.value.slice(0, index), mark);
  field.parentElement?.append(copy);
  const corner = copy.getBoundingClientRect();
  const [place] = mark.getClientRects();
  copy.remove();
  const right = style.direction === 'rtl';
  return {
    left: place ? (right ? place.right : place.left) - corner.left : 0,
    top: place ? place.top - corner.top : 0,
  };
}

/** Nothing of the text is above the caret. */
export function isOnFirstLine(field: HTMLTextAreaElement): boolean {
  const { selectionStart, selectionEnd, value } = field;
  if (selectionStart !== selectionEnd || value.lastIndexOf('\n', selectionStart - 1) >= 0) return false;
  return caretPlace(field, selectionStart).top === caretPlace(field, 0).top;
}

/** Nothing of the text is below the caret. */
export function isOnLastLine(field: HTMLTextAreaElement): boolean {
  const { selectionStart, selectionEnd, value } = field;
  if (selectionStart !== selectionEnd || value.indexOf('\n', selectionEnd) >= 0) return false;
  return caretPlace(field, selectionStart).top === caretPlace(field, value.length).top;
}
