/** Notifications of the desktop, and whether they may be shown. */
export interface Notifier {
  permission: () => NotificationPermission;
  /** Asks the person, where nobody has yet. A browser lets only a click ask. */
  request: () => Promise<NotificationPermission>;
  /** `tag`: a newer one with the same tag takes its place. */
  show: (note: { title: string; body: string; tag: string; onClick: () => void }) => void;
}
