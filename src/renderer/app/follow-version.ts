import type { HostConnection } from '../commands/command.ts';
import type { UiStore } from '../stores/ui-store.ts';

/** The pages of two versions differ in the name of their first script, which is named after its content. */
const firstScript = /<script\b[^>]*\bsrc="([^"]+)"/;

/**
 * A page in a browser may outlive the program that served it: after each reconnection it looks at what is served now.
 * The desktop app is always of one piece and has no use for it.
 *
 * @param own the first script of this page; null = not built, so not to be compared
 * @param served the page as it is served now; null = could not be had
 */
export function followVersion(
  host: HostConnection,
  ui: UiStore,
  own: string | null,
  served: () => Promise<string | null>,
): void {
  if (own === null) return;
  let lost = false;
  const look = async (): Promise<void> => {
    const script = firstScript.exec((await served()) ?? '')?.[1];
    if (script !== undefined && script !== own) ui.setState({ outdated: true });
  };
  host.onState((state) => {
    if (state === 'live' && lost) void look();
    lost = state === 'lost' || (lost && state !== 'live');
  });
}

export function ownScript({ document }: Window): string | null {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;
}

export async function servedPage({ location }: Window): Promise<string | null> {
  try {
    const reply = await fetch(location.pathname, { cache: 'no-store' });
    return reply.ok ? await reply.text() : null;
  } catch {
    // Gone again: the next connection looks again.
    return null;
  }
}
