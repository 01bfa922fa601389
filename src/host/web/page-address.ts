/** An address that a model wrote, before anything is looked up or asked. */
import { isIP } from 'node:net';
import { ToolFailure } from '../tools/tool.ts';

export interface PageAddress {
  url: URL;
  /** Lower case, ASCII, an address in its one spelling: without brackets and without a dot at its end. */
  host: string;
  port: number;
  isLiteral: boolean;
  /** The name itself says that it is this computer. */
  isLocalName: boolean;
}

const maxLength = 4_096;

/** Throws ToolFailure. @param base of a redirect, which may be relative */
export function readAddress(text: string, base?: URL): PageAddress {
  const url = text.length <= maxLength ? URL.parse(text.trim(), base?.href) : null;
  if (!url)
    throw new ToolFailure('This is not an address of a page.', {
      advice: 'Give a whole address that begins with https:// or http://.',
    });
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ToolFailure(`Only http and https addresses are read, not ${url.protocol.slice(0, 40)}.`, {
      advice: 'Files of the folder are read with read_file.',
    });
  if (url.username !== '' || url.password !== '')
    throw new ToolFailure('An address with a user name or a password in it is not read.', {
      advice: 'Leave that out.',
    });
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (host === '') throw new ToolFailure('The address names no host.');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const isLiteral = isIP(host) !== 0;
  return { url, host, port, isLiteral, isLocalName: host === 'localhost' || host.endsWith('.localhost') };
}
