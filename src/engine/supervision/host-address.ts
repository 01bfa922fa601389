/** Where Ollama listens, from `OLLAMA_HOST`. */
import { isIP, isIPv4 } from 'node:net';

export const defaultUrl = 'http://127.0.0.1:11434';

/** The address a client connects to: bind addresses and `localhost` become loopback, so that IPv4 is always met. */
export function parseHost(value: string | undefined): string {
  const text = (value ?? '')
    .trim()
    .replaceAll(/^["']+|["']+$/g, '')
    .trim();
  const url = addressOf(text);
  return URL.canParse(url) ? url : defaultUrl;
}

/** An address that a person listed, in the same form; null = no address that could be meant. Nothing is guessed here. */
export function readAddress(value: string): string | null {
  const text = value.trim().replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  const plain = /^(?:https?:\/\/)?(?<authority>[^\s/@?#]+)(?:\/(?!\/)[^\s?#]*)?$/.exec(text);
  const { host, port } = splitAuthority(plain?.groups?.['authority'] ?? '');
  if (host === '' || (port !== '' && !isPort(port))) return null;
  const url = addressOf(text);
  return URL.canParse(url) ? url : null;
}

function addressOf(text: string): string {
  if (text === 'ollama.com') return 'https://ollama.com';

  const [scheme, rest] = splitScheme(text);
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? '' : rest.slice(slash).replace(/\/+$/, '');
  const { host, port } = splitAuthority(authority);

  const standard = { http: '80', https: '443' }[scheme];
  const portNumber = isPort(port) ? port : defaultPort(text, scheme);
  return `${scheme}://${connectable(host)}${portNumber === standard ? '' : `:${portNumber}`}${path}`;
}

/** 127.0.0.0/8, `::1` and `localhost`: names that only begin like one of them are somebody else's. */
export function isLoopback(url: string): boolean {
  // The URL parser has turned every spelling of an address, such as 127.1, into the plain one.
  const host = URL.parse(url)?.hostname ?? '';
  return host === '[::1]' || host === 'localhost' || (isIPv4(host) && host.startsWith('127.'));
}

function splitScheme(text: string): ['http' | 'https', string] {
  const at = text.indexOf('://');
  if (at === -1) return ['http', text];
  return [text.slice(0, at) === 'https' ? 'https' : 'http', text.slice(at + 3)];
}

/** Without a scheme Ollama's own port, else the scheme's. */
function defaultPort(text: string, scheme: 'http' | 'https'): string {
  if (!text.includes('://')) return '11434';
  return scheme === 'https' ? '443' : '80';
}

function splitAuthority(authority: string): { host: string; port: string } {
  const bare = authority.replaceAll(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return { host: bare, port: '' };
  const colon = authority.lastIndexOf(':');
  if (colon === -1) return { host: authority, port: '' };
  return { host: authority.slice(0, colon).replaceAll(/^\[|\]$/g, ''), port: authority.slice(colon + 1) };
}

function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 65_535;
}

function connectable(host: string): string {
  if (host === '' || host === '0.0.0.0' || host.toLowerCase() === 'localhost') return '127.0.0.1';
  if (isIP(host) !== 6) return host;
  return /^[0:]+$/.test(host) ? '[::1]' : `[${host}]`;
}
