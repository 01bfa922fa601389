/** An answer on its way to the address that the owner configured. */
import type { Clock } from '../../platform/clock.ts';
import { signatureHeader, signatureOf, timeHeader } from './signed-request.ts';

export interface AnswerBody {
  /** Of the message that is answered. */
  id: string;
  server: string;
  channel: string;
  thread: string;
  status: string;
  content: string;
  error: { code: string } | null;
  /** `data` is base64; null = the file cannot be had any more. */
  files: { name: string; mime: string; data: string | null }[];
}

interface PostOptions {
  secret: string;
  /** The same for each attempt, so that a receiver can drop what it has. */
  delivery: string;
  clock: Pick<Clock, 'now'>;
  signal: AbortSignal;
}

const postMs = 30_000;

/** Resolves with the status of the response; rejects where there was none. A redirect is not followed. */
export async function postAnswer(
  url: string,
  body: AnswerBody,
  { secret, delivery, clock, signal }: PostOptions,
): Promise<number> {
  const text = JSON.stringify(body);
  const time = String(Math.floor(clock.now() / 1000));
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(postMs)]),
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Andiron-Delivery': delivery,
      [timeHeader]: time,
      [signatureHeader]: signatureOf(secret, time, text),
    },
    body: text,
  });
  await response.body?.cancel();
  return response.status;
}
