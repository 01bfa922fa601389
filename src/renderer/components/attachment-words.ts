import { composer } from '../text.ts';

const { kinds } = composer.files;

interface Kind {
  kind: 'image' | 'text' | 'other';
  mime: string;
  name: string;
}

/** "PNG", "Text", "PDF": what it is, as short as can be. */
export function kindWords({ kind, mime, name }: Kind): string {
  if (kind === 'text') return kinds.text;
  if (kind === 'image') return mime.replace('image/', '').toUpperCase();
  const extension = /\.([A-Za-z0-9]{1,5})$/u.exec(name)?.[1];
  return extension?.toUpperCase() ?? kinds.other;
}
