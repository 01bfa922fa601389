import { createServer, type Server } from 'node:http';

/**
 * Tells another process where the runner of a loaded model answers: `GET /?model=NAME` → `{"url": …}`, or 404. The
 * real engine's runners show that in their command lines, and the simulator's are no processes.
 */
export function createRunnerDirectory(find: (model: string) => string | undefined): Server {
  return createServer((request, response) => {
    const model = new URL(request.url ?? '/', 'http://localhost').searchParams.get('model') ?? '';
    const url = find(model);
    response.writeHead(url === undefined ? 404 : 200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(url === undefined ? {} : { url }));
  });
}
