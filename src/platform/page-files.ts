/** The built page as both shells serve it: the same files, types and policy over `app://` and over HTTP. */
import { extname, join, normalize, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

export interface PageFile {
  /** Absolute, inside the folder of the built page. */
  path: string;
  contentType: string;
  /** Its name carries a hash of its content. */
  immutable: boolean;
}

/** The file behind a URL's path; null when it cannot be one of the page's. `/` is the page itself. */
export function pageFile(rendererDir: string, urlPath: string): PageFile | null {
  let name: string;
  try {
    name = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  const path = normalize(join(rendererDir, name === '/' ? 'index.html' : name));
  const contentType = types[extname(path)];
  if (contentType === undefined || path.includes('\0') || !path.startsWith(rendererDir + sep)) return null;
  return { path, contentType, immutable: path.startsWith(join(rendererDir, 'assets') + sep) };
}

/**
 * Nothing from elsewhere, nothing inline. `connectTo`: what the page may connect to besides its own origin.
 * Style attributes that scripts set on elements are not inline styles, so they need no exception.
 */
export function contentSecurityPolicy(connectTo: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // A text that reaches what makes markup or code of it is refused there. The one policy starts the page's workers.
    "require-trusted-types-for 'script'",
    'trusted-types andiron-workers',
  ].join('; ');
}

/** For every answer, whatever it carries. */
export function securityHeaders(connectTo: readonly string[] = []): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connectTo),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
  };
}
