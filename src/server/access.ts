/**
 * Who may talk to the headless server. A web page anywhere can send requests to a loopback port, and a name it controls
 * can be made to resolve to 127.0.0.1: so Host and Origin are checked on every request. A session is a secret that a page
 * keeps for itself and says in the first frame of each socket. It is no cookie: cookies know no ports, so that every
 * other program on 127.0.0.1 would be sent it.
 */
import { timingSafeEqual } from 'node:crypto';
import { maxSessionMs } from '../protocol/limits.ts';

export interface AccessRequest {
  method: string;
  host: string | undefined;
  origin: string | undefined;
}

export type Access = ReturnType<typeof createAccess>;

export interface AccessOptions {
  port: number;
  /** Gives 32 unguessable bytes as text that needs no escaping. */
  random: () => string;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
}

interface Session {
  secret: string;
  endsAt: number;
}

export function createAccess({ port, random, now }: AccessOptions) {
  const hosts = new Set([`127.0.0.1:${String(port)}`, `localhost:${String(port)}`]);
  let sessions: Session[] = [];
  let token = random();

  return {
    /** The address's current token. */
    token: (): string => token,
    /** Is this request meant for this server, by its own page or by nobody's? Otherwise it is refused with 403. */
    isOurs({ method, host, origin }: AccessRequest): boolean {
      if (host === undefined || !hosts.has(host)) return false;
      // Browsers leave Origin out only of plain GET and HEAD.
      if (origin === undefined) return method === 'GET' || method === 'HEAD';
      return origin === `http://${host}`;
    },
    /** The token → the secret of a new session; null when it is wrong. A token is spent when it was taken. */
    exchange(offered: string): string | null {
      if (!sameText(offered, token)) return null;
      token = random();
      const secret = random();
      sessions = sessions.filter(({ endsAt }) => endsAt > now());
      sessions.push({ secret, endsAt: now() + maxSessionMs });
      return secret;
    },
    /** False once the session is older than 30 days or was signed out. */
    hasSession: (offered: string): boolean =>
      sessions.some(({ secret, endsAt }) => endsAt > now() && sameText(secret, offered)),
    /** Ends every session, and makes a new token: whoever read the address before cannot use it. */
    signOutEverywhere(): void {
      sessions = [];
      token = random();
    },
  };
}

/** Takes as long for a near miss as for a wild guess. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
