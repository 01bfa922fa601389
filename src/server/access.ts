/**
 * Who may talk to the headless server (design 12). A web page anywhere can send requests to a loopback port, and a
 * name it controls can be made to resolve to 127.0.0.1: so Host and Origin are checked on every request, and a
 * connection needs the cookie that only the holder of the printed address gets.
 */
import { timingSafeEqual } from 'node:crypto';

export interface AccessRequest {
  method: string;
  host: string | undefined;
  origin: string | undefined;
  cookie: string | undefined;
}

export interface Access {
  /** The address's current token. */
  token(): string;
  /** Is this request meant for this server, by its own page or by nobody's? Otherwise it is refused with 403. */
  isOurs(request: AccessRequest): boolean;
  /** The token → value of a Set-Cookie header; null when it is wrong. A token is spent when it was taken. */
  exchange(token: string): string | null;
  hasSession(request: AccessRequest): boolean;
}

/** @param random gives 32 unguessable bytes as text that needs no escaping */
export function createAccess(port: number, random: () => string): Access {
  // Cookies know no ports: two servers on one machine need two names.
  const cookieName = `andiron_${String(port)}`;
  const hosts = new Set([`127.0.0.1:${String(port)}`, `localhost:${String(port)}`]);
  const sessions: string[] = [];
  let token = random();

  return {
    token: () => token,
    isOurs({ method, host, origin }) {
      if (host === undefined || !hosts.has(host)) return false;
      // Browsers leave Origin out only of plain GET and HEAD.
      if (origin === undefined) return method === 'GET' || method === 'HEAD';
      return origin === `http://${host}`;
    },
    exchange(offered) {
      if (!sameText(offered, token)) return null;
      token = random();
      const session = random();
      sessions.push(session);
      return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    },
    hasSession({ cookie }) {
      const offered = readCookie(cookie ?? '', cookieName);
      return offered !== undefined && sessions.some((session) => sameText(session, offered));
    },
  };
}

function readCookie(header: string, name: string): string | undefined {
  const pair = header.split('; ').find((entry) => entry.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Takes as long for a near miss as for a wild guess. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
