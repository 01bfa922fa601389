import { z } from 'zod';

/** The Ollama at OLLAMA_HOST, and which of its models can do what. */
export interface RealEngine {
  url: string;
  withTools: string | null;
  withoutTools: string | null;
  /** The smallest two with tools: what small models do wrong has to be seen on more than one. */
  smallest: string[];
}

const listSchema = z.object({ models: z.array(z.object({ name: z.string(), size: z.number() })) });

export async function realEngine(): Promise<RealEngine> {
  const host = process.env['OLLAMA_HOST'] ?? '';
  const url = host.includes('://') ? host : `http://${host}`;
  const { models } = listSchema.parse(await (await fetch(`${url}/api/tags`)).json());
  const wanted = process.env['ANDIRON_REAL_MODEL'];
  let withTools: string | null = null;
  let withoutTools: string | null = null;
  const able: { name: string; size: number }[] = [];
  for (const { name, size } of models) {
    const shown = await fetch(`${url}/api/show`, { method: 'POST', body: JSON.stringify({ model: name }) });
    const { capabilities = [] } = (await shown.json()) as { capabilities?: string[] };
    if (!capabilities.includes('completion')) continue;
    if (capabilities.includes('tools')) {
      if (wanted === undefined || wanted === name) {
        withTools ??= name;
        able.push({ name, size });
      }
    } else withoutTools ??= name;
  }
  const smallest = able.toSorted((one, other) => one.size - other.size).slice(0, 2);
  return { url, withTools, withoutTools, smallest: smallest.map(({ name }) => name) };
}
