/** A policy in the words of the sandbox runtime. Pure. */
import type { SandboxPolicy } from './sandbox.ts';

/** Lists of names: the runtime reads signs like `*` and `[` in its other lists, and a folder may be called so. */
export interface SrtPolicy {
  readConfig: { denyOnly: []; literalDenyOnly: string[]; literalAllowWithinDeny: string[] };
  writeConfig: {
    allowOnly: [];
    literalAllowOnly: string[];
    denyWithinAllow: [];
    literalDenyWithinAllow: string[];
  };
}

/** Throws for a name that the runtime cannot say to the system as it is. */
export function srtPolicy({ hidden, writable, readOnly, masked, readable }: SandboxPolicy): SrtPolicy {
  const maskedPaths = masked.map(({ path }) => path);
  const lists = [hidden, writable, readOnly, maskedPaths, readable];
  // A rule about such a name would be written another way than the system has it, and be about nothing.
  const odd = lists.flat().find((path) => /\p{Cc}/u.test(path));
  if (odd !== undefined)
    throw new Error(`The sandbox cannot name ${JSON.stringify(odd)}: it has a control character.`);
  return {
    readConfig: {
      denyOnly: [],
      literalDenyOnly: [...hidden, ...maskedPaths],
      literalAllowWithinDeny: [...writable, ...readOnly, ...readable],
    },
    writeConfig: {
      allowOnly: [],
      literalAllowOnly: [...writable],
      denyWithinAllow: [],
      literalDenyWithinAllow: [...readOnly, ...maskedPaths],
    },
  };
}
