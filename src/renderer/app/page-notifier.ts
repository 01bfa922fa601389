import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { Notifier } from '../commands/notifier.ts';

/** Null where the page has no notifications, as in some browsers on phones. */
export function pageNotifier(
  page: Window & Partial<Pick<typeof globalThis, 'Notification'>>,
  desktop: DesktopBridge | null,
): Notifier | null {
  if (!page.Notification) return null;
  const { Notification } = page;
  return {
    permission: () => Notification.permission,
    request: () => Notification.requestPermission(),
    show: ({ title, body, tag, onClick }) => {
      let shown: Notification;
      try {
        shown = new Notification(title, { body, tag });
      } catch {
        // Chrome on Android has the class, and lets only service workers use it.
        return;
      }
      shown.addEventListener('click', () => {
        // A page may not bring a minimised window of the desktop app to the front.
        desktop?.window.show();
        page.focus();
        shown.close();
        onClick();
      });
    },
  };
}
