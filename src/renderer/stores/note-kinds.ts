/** What a notification can be about, in the order of the settings. */
export const noteKinds = ['asking', 'ended', 'failed'] as const;
export type NoteKind = (typeof noteKinds)[number];
