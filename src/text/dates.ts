/** Times, days and order as a person reads them, in the time zone of this computer. */
export interface Dates {
  /** "10:38". */
  timeOfDay: (at: number) => string;
  /** "22 Nov 2026, 10:38". */
  timeAndDay: (at: number) => string;
  /** "14 Nov 2026". */
  dayOf: (at: number) => string;
  /** "14 Nov". */
  shortDay: (at: number) => string;
  /** "Thu". */
  shortWeekday: (at: number) => string;
  /** "Thu 10:38". */
  weekdayAndTime: (at: number) => string;
  /** 0 = Sunday. */
  weekday: (day: number) => string;
  /** For lists that are sorted by a name. */
  compare: (one: string, other: string) => number;
}

/** @param locale a BCP 47 tag */
export function datesFor(locale: string): Dates {
  const by = (options: Intl.DateTimeFormatOptions): ((at: number) => string) => {
    // In the zone that the computer has when it is asked: a laptop travels.
    return (at) => new Intl.DateTimeFormat(locale, options).format(at);
  };
  const weekday = by({ weekday: 'long', timeZone: 'UTC' });
  return {
    timeOfDay: by({ hour: '2-digit', minute: '2-digit' }),
    timeAndDay: by({ dateStyle: 'medium', timeStyle: 'short' }),
    dayOf: by({ dateStyle: 'medium' }),
    shortDay: by({ day: 'numeric', month: 'short' }),
    shortWeekday: by({ weekday: 'short' }),
    weekdayAndTime: by({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    // 4 January 1970 was a Sunday.
    weekday: (day) => weekday((day + 3) * 86_400_000),
    compare: new Intl.Collator(locale).compare,
  };
}
