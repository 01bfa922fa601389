/** A simulated Ollama whose list of models is hostile: names, families, quantizations and capabilities are any text. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { MaliciousText } from './malicious-texts.ts';

export interface HostileEngine {
  url: string;
  close: () => Promise<void>;
}

/** Stands before the engine at `engine` and passes on everything else as it is. */
export async function startHostileEngine(
  engine: string,
  texts: readonly MaliciousText[],
): Promise<HostileEngine> {
  const models = texts.map(({ id, text }) => ({
    name: `M${id}: ${text}`,
    model: `M${id}: ${text}`,
    size: 1_000_000_000,
    digest: `${id}${'0'.repeat(61)}`,
    modified_at: text,
    details: { family: text, parameter_size: text.slice(0, 200), quantization_level: text.slice(0, 200) },
  }));
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/api/tags') {
      const tags = (await (await fetch(`${engine}/api/tags`)).json()) as { models: unknown[] };
      send(response, { models: [...tags.models, ...models] });
    } else if (request.url === '/api/show') {
      const asked = (await json(request)) as { model: string };
      const index = models.findIndex(({ name }) => name === asked.model);
      const text = texts[index]?.text.slice(0, 200);
      if (text !== undefined) send(response, { capabilities: ['completion', 'tools', text], details: {} });
      else
        send(
          response,
          await (await fetch(`${engine}/api/show`, { method: 'POST', body: JSON.stringify(asked) })).json(),
        );
    } else pass(engine, request, response);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function pass(engine: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '/' } = request;
  const onward = httpRequest(`${engine}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
