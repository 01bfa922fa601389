/** What travels over a transport. `hello` is the server's first frame: another epoch means another process, so a new snapshot. */
import { AndironError, toWireError, type WireError } from './errors.ts';
import { maxFrameBytes, maxNesting } from './limits.ts';

interface HelloFrame {
  type: 'hello';
  epoch: string;
}
export interface RequestFrame {
  type: 'request';
  id: number;
  method: string;
  params: unknown;
}
/** The caller no longer wants the answer; the handler's signal fires and the call still gets exactly one response. */
interface CancelFrame {
  type: 'cancel';
  id: number;
}
export type ResponseFrame =
  | { type: 'response'; id: number; ok: true; result: unknown }
  | { type: 'response'; id: number; ok: false; error: WireError };
interface EventFrame {
  type: 'event';
  /** `host`, `engine` or `session:<id>`. */
  topic: string;
  seq: number;
  event: unknown;
}

/** The first frame of each WebSocket of the headless server; ports of the desktop app need none. */
export interface SignInFrame {
  type: 'sign-in';
  secret: string;
}
/** With this code a WebSocket is closed whose page is not, or no longer, signed in. */
export const signedOutCode = 4401;

export type ClientFrame = RequestFrame | CancelFrame;
export type ServerFrame = HelloFrame | ResponseFrame | EventFrame;

/**
 * The answer to a frame that is refused unread, so that its caller does not wait for ever; null = it is no request, so
 * nobody waits.
 */
export function refuseFrame(frame: unknown, why: string): ResponseFrame | null {
  if (typeof frame !== 'object' || frame === null || !('id' in frame)) return null;
  const { id } = frame;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  const error = new AndironError('invalid_params', `This request was refused: ${why}.`);
  return { type: 'response', id, ok: false, error: toWireError(error) };
}

/** Why a frame is refused, for `refuseFrame`, and JSON from elsewhere. */
export const frameTooLarge = `it is larger than ${String(maxFrameBytes / 1024 / 1024)} MB`;
export const nestedTooDeep = `it is nested deeper than ${String(maxNesting)} levels`;

export const sessionTopic = (sessionId: string): string => `session:${sessionId}`;
