/** A server over stdio with the tools that a file lists; each answers with what it was called with. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Request {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: object };
}

const [path = '', name = 'catalogue'] = process.argv.slice(2);
const tools: unknown = JSON.parse(readFileSync(path, 'utf8'));

/** Absent = it is not answered with a result. */
const results: Record<string, (params: Request['params']) => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name, version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({
    content: [{ type: 'text', text: `${params?.name ?? ''} ${JSON.stringify(params?.arguments)}` }],
  }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  const result = results[request.method ?? '']?.(request.params);
  const answer = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer })}\n`);
}
