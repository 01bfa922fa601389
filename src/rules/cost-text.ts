/** Sums of money as they are kept: in billionths of a currency. */
const nanoPerUnit = 1_000_000_000n;

/** Exact, with a point and as few digits as that takes, such as `0.00315`. */
export function exactAmount(nano: number): string {
  const whole = BigInt(nano) / nanoPerUnit;
  const rest = String(BigInt(nano) % nanoPerUnit)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${String(whole)}.${rest}`;
}
