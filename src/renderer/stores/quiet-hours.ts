/** Hours in which no notification is shown. Pure. */
import { isRecord } from './storage.ts';

export interface QuietHours {
  on: boolean;
  /** "22:00", in the person's own time; before `from` = into the next day. */
  from: string;
  to: string;
}

export const usualQuietHours: QuietHours = { on: false, from: '22:00', to: '08:00' };

/** Minutes since midnight; null = it is no time of a day. */
export function minutesOf(time: string): number | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? [];
  const inRange = hours !== '' && Number(hours) < 24 && Number(minutes) < 60;
  return inRange ? Number(hours) * 60 + Number(minutes) : null;
}

/** The end does not belong to them; from and to at the same time is all day. */
export function isQuiet({ on, from, to }: QuietHours, now: number): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (!on || begin === null || end === null) return false;
  const date = new Date(now);
  const at = date.getHours() * 60 + date.getMinutes();
  return begin < end ? at >= begin && at < end : at >= begin || at < end;
}

const timeOr = (usual: string, value: unknown): string =>
  typeof value === 'string' && minutesOf(value) !== null ? value : usual;

export function readQuietHours(stored: unknown): QuietHours {
  if (!isRecord(stored)) return usualQuietHours;
  const { on, from, to } = stored;
  return {
    on: on === true,
    from: timeOr(usualQuietHours.from, from),
    to: timeOr(usualQuietHours.to, to),
  };
}
