const gibi = 1024 ** 3;

/** "5.2 GB", binary as GPU makers count video memory. */
export function gigabytes(bytes: number): string {
  return `${(bytes / gibi).toFixed(1)} GB`;
}
