import { createServer, type Server } from 'node:http';

import type { Truth } from './truth.ts';

/**
 * The truth for a simulator that runs as a process of its own: `GET /truth` is everything so far as one JSON
 * object, `GET /events` every event from now on, one per line. For tests and benchmarks only.
 */
export function createSideChannel(truth: Truth): Server {
  return createServer((request, response) => {
    if (request.url === '/truth') {
      const { requests, loads, unloads, violations, failures } = truth;
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify({ requests, loads, unloads, violations, failures }));
    } else if (request.url === '/events') {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.flushHeaders();
      const stop = truth.listen((event) => response.write(`${JSON.stringify(event)}\n`));
      response.once('close', stop);
    } else {
      response.writeHead(404).end();
    }
  });
}
