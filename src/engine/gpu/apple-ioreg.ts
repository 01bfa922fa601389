/** A Mac's GPU, by its registry: no privileges needed, but neither temperature nor power is in it. */
import { nothingLive, type GpuReading } from './gpu-reading.ts';

export const ioregProgram = '/usr/sbin/ioreg';
export const ioregArgs: readonly string[] = ['-r', '-d', '1', '-w', '0', '-c', 'IOAccelerator'];

/** @param totalBytes what Apple silicon's GPU may take of the main memory; null = this Mac's GPU has its own. */
export function parseIoreg(stdout: string, totalBytes: number | null): GpuReading[] {
  const nodes = stdout.split(/^\+-o /m).slice(1, 17);
  return nodes.flatMap((node) => {
    const [, name] = /"model" = <?"([^"]+)"/.exec(node) ?? [];
    const used = statistic(node, 'In use system memory');
    const utilization = statistic(node, 'Device Utilization %');
    if (!name || (used === null && utilization === null)) return [];
    return {
      ...nothingLive,
      name,
      vramTotalBytes: totalBytes,
      // Of a card with its own memory this is only what it borrows.
      vramUsedBytes: totalBytes === null ? null : used,
      ...(totalBytes !== null && { unified: true as const }),
      utilization: utilization !== null && utilization <= 100 ? utilization : null,
    };
  });
}

function statistic(node: string, name: string): number | null {
  const [, digits] = new RegExp(`"${name}"=(\\d{1,15})[,}]`).exec(node) ?? [];
  return digits === undefined ? null : Number(digits);
}
