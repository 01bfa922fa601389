/** Where the requests of malicious texts would go, and a page that takes those texts for markup. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marked } from 'marked';
import { someOf } from '../helpers/thorough.ts';
import { maliciousTexts, type MaliciousText } from './malicious-texts.ts';
import { sentinel } from './page-watch.ts';

export interface BaitServer {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  texts: MaliciousText[];
  /** Requests that were no part of the careless page. */
  hits: () => number;
  close: () => Promise<void>;
}

/** `/careless/017` is what a careless client would make of a text: its Markdown as HTML, without a policy. */
export async function startBaitServer(): Promise<BaitServer> {
  let hits = 0;
  const server = createServer((request, response) => {
    const id = /^\/careless\/(\d{3})$/.exec(request.url ?? '')?.[1];
    const text = id === undefined ? undefined : texts.find((each) => each.id === id);
    if (!text) hits += 1;
    response.writeHead(200, {
      'Content-Type': text ? 'text/html; charset=utf-8' : contentType(request.url ?? ''),
    });
    response.end(text ? `<!doctype html><body>${careless(text.text)}` : '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const texts = someOf(maliciousTexts({ js: sentinel, url }), 3);
  return {
    url,
    texts,
    hits: () => hits,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function contentType(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript';
  return path.endsWith('.css') ? 'text/css' : 'text/html';
}

function careless(text: string): string {
  try {
    return marked.parse(text, { async: false });
  } catch {
    // Too deep for the parser: as it is, then.
    return text;
  }
}
