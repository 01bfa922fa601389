import { language } from '../../text.ts';

/** A day as people write it: "14 Nov 2026". */
export function dayOf(at: number): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium' }).format(at);
}
