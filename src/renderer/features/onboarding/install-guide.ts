/** How a person gets and starts Ollama here. */

export type GuidePlatform = 'linux' | 'darwin' | 'win32' | 'other';

export const downloadPage = 'https://ollama.com/download';

/** What is typed to install it, where typing is the way. */
export const installCommands: Partial<Record<GuidePlatform, string>> = {
  linux: 'curl -fsSL https://ollama.com/install.sh | sh',
};

/** From `process.platform` of the desktop, or from what a browser says about itself ("Linux x86_64", "MacIntel"). */
export function guidePlatform(platform: string): GuidePlatform {
  if (/^(darwin|mac)/i.test(platform)) return 'darwin';
  if (/^win/i.test(platform)) return 'win32';
  return /^linux/i.test(platform) ? 'linux' : 'other';
}

/** A hint such as "Run: ollama serve" ends in the command; null when there is nothing to type. */
export function commandIn(hint: string): string | null {
  const at = hint.lastIndexOf(': ');
  return at === -1 ? null : hint.slice(at + 2).trim();
}
