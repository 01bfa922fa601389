/** The one gate for links out of model text: http and https only, opened outside the window. */
import { createContext, useContext, type ReactNode } from 'react';

/** Returns the address to open, or null for anything that is not plainly http(s). */
export function safeHref(href: string): string | null {
  // Browsers drop control characters and spaces before they look at the scheme, so none may be there.
  if (!/^https?:\/\/\S+$/i.test(href) || /\p{Cc}/u.test(href)) return null;
  return URL.canParse(href) ? href : null;
}

/** On the desktop links go through the bridge; in a browser the anchor itself opens a new tab. */
export const OpenLinkContext = createContext<((url: string) => void) | null>(null);

export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const open = useContext(OpenLinkContext);
  const target = safeHref(href);
  // What may not be opened is still readable: the text, with its address in the title.
  if (target === null) return <span title={href}>{children}</span>;
  return (
    <a
      href={target}
      title={target}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={(event) => {
        if (!open) return;
        event.preventDefault();
        open(target);
      }}
    >
      {children}
    </a>
  );
}
