/** Notifications of the desktop: what they say, and their settings. */
export const notifications = {
  /** Under the title of the session. */
  notes: {
    asking: 'Andiron needs your answer.',
    ended: 'Andiron has finished.',
    failed: 'The turn failed. Open it to see why.',
  },
  /** Where the person was never asked, in place of the first notification. */
  offer: {
    message: (title: string): string => `“${title}” has news`,
    advice: 'Desktop notifications can tell you when a session needs you or has finished.',
    accept: 'Turn on notifications',
  },
  rows: {
    notifications: {
      label: 'Desktop notifications',
      help: 'For sessions that are not in view. A click opens the session.',
    },
    asking: { label: 'Questions', help: 'A session needs your answer before it can go on.' },
    ended: { label: 'Finished', help: 'A session has answered.' },
    failed: { label: 'Failed', help: 'A turn ended with an error.' },
    quietHours: {
      label: 'Quiet hours',
      help: 'No notifications at this time. The list still marks what is new.',
    },
  },
  kinds: 'Notify me about',
  kindsHelp: 'Sessions of other people only notify you when they ask.',
  ends: {
    from: { word: 'from', label: 'Quiet hours begin at' },
    to: { word: 'to', label: 'Quiet hours end at' },
  },
  noTime: 'Write a time such as 22:00.',
  unavailable: {
    denied: 'Your browser blocks them. Allow notifications for this page in its site settings.',
    absent: 'This browser has no notifications.',
  },
} as const;
