/** The Ollama at OLLAMA_HOST, and which of its models can do what. */
export interface RealEngine {
  url: string;
  withTools: string | null;
  withoutTools: string | null;
}

export async function realEngine(): Promise<RealEngine> {
  const host = process.env['OLLAMA_HOST'] ?? '';
  const url = host.includes('://') ? host : `http://${host}`;
  const { models } = (await (await fetch(`${url}/api/tags`)).json()) as { models: { name: string }[] };
  const wanted = process.env['ANDIRON_REAL_MODEL'];
  let withTools: string | null = null;
  let withoutTools: string | null = null;
  for (const { name } of models) {
    const shown = await fetch(`${url}/api/show`, { method: 'POST', body: JSON.stringify({ model: name }) });
    const { capabilities = [] } = (await shown.json()) as { capabilities?: string[] };
    if (!capabilities.includes('completion')) continue;
    if (capabilities.includes('tools')) {
      if (wanted === undefined || wanted === name) withTools ??= name;
    } else withoutTools ??= name;
  }
  return { url, withTools, withoutTools };
}
