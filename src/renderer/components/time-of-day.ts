/** Milliseconds since the epoch → "10:38", in the time zone of this computer. */
export function timeOfDay(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** "22 Nov 2026, 10:38". */
export function timeAndDay(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
