import { createHash } from 'node:crypto';

/** SHA-256 of its bytes in UTF-8, in hexadecimal digits. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');
