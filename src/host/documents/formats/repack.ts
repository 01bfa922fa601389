/** The parts that a library is to see, in a zip that holds nothing else and unpacks to what was counted. */
import { zipSync } from 'fflate';
import { scanXml } from './xml-scan.ts';
import type { ZipParts } from './zip-parts.ts';

/** Throws UnreadableDocument for XML that a library should not be given. */
export function repack(zip: ZipParts, names: Iterable<string>): Uint8Array<ArrayBuffer> {
  const parts: Record<string, Uint8Array> = {};
  for (const name of new Set(names)) {
    const xml = zip.text(name);
    for (const _ of scanXml(xml));
    parts[name] = new TextEncoder().encode(
      xml.replace(/^(\ufeff?<\?xml[^>]*?)\s+encoding\s*=\s*["'][^"']*["']/i, '$1'),
    );
  }
  return zipSync(parts, { level: 0 });
}
