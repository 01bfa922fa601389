/** The parts that a library is to see, in a zip that holds nothing else and unpacks to what was counted. */
import { zipSync } from 'fflate';
import { scanXml } from './xml-scan.ts';

/** Throws UnreadableDocument for XML that a library should not be given. */
export function repack(parts: Iterable<readonly [name: string, xml: string]>): Uint8Array<ArrayBuffer> {
  const packed: Record<string, Uint8Array> = {};
  for (const [name, xml] of parts) {
    for (const _ of scanXml(xml));
    packed[name] = new TextEncoder().encode(
      xml.replace(/^(\ufeff?<\?xml[^>]*?)\s+encoding\s*=\s*["'][^"']*["']/i, '$1'),
    );
  }
  return zipSync(packed, { level: 0 });
}
