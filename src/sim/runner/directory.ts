import { createServer, type Server, type ServerResponse } from 'node:http';

/** Of the graphics memory, and how busy the card is. */
export interface GpuFigures {
  name: string;
  totalBytes: number;
  usedBytes: number;
  /** Percent. */
  utilization: number;
}

/**
 * Tells another process what a real machine shows by its processes and drivers, which the simulator has none of:
 * `GET /?model=NAME` → `{"url": …}` where the runner of a loaded model answers, or 404; `GET /gpu` → its GPU.
 */
export function createRunnerDirectory(
  find: (model: string) => string | undefined,
  gpu: () => GpuFigures,
): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/gpu') {
      answer(response, 200, gpu());
      return;
    }
    const url = find(searchParams.get('model') ?? '');
    answer(response, url === undefined ? 404 : 200, url === undefined ? {} : { url });
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
