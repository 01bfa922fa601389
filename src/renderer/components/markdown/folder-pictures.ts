/** Pictures that lie in the folder of a session. Addresses of everything else are shown, and never loaded. */
import { createContext, type ReactNode } from 'react';

export interface FolderPictureProps {
  /** As the answer names it, without the escapes of an address. */
  path: string;
  /** What it shows, in words. */
  alt: string;
}

/** Draws one; null = there is no folder to look into. */
export const FolderPictureContext = createContext<((picture: FolderPictureProps) => ReactNode) | null>(null);

/** A drive is one letter. */
const scheme = /^[a-z][a-z\d+.-]+:/i;

/** null = it leads elsewhere: to a server, to data, or to nothing. */
export function folderPath(href: string): string | null {
  const path = unescaped(href);
  if (path === '' || scheme.test(path) || /^(?:[\\/]{2}|[#?])/.test(path) || /\p{Cc}/u.test(path))
    return null;
  return path;
}

/** A share of a percent sign that escapes nothing is one. */
function unescaped(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
