/** Which models of an engine can be measured. */
import { z } from 'zod';

const listSchema = z.object({ models: z.array(z.object({ name: z.string(), size: z.number() })) });
const shownSchema = z.looseObject({ capabilities: z.array(z.string()).optional() });

/** Names of those that say they can call tools, smallest first; null = nobody listens there. */
export async function modelsWithTools(url: string): Promise<string[] | null> {
  try {
    const { models } = listSchema.parse(await (await fetch(`${url}/api/tags`)).json());
    const able = await Promise.all(
      models.map(async (model) => ((await canCall(url, model.name)) ? [model] : [])),
    );
    return able
      .flat()
      .toSorted((one, other) => one.size - other.size)
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function canCall(url: string, model: string): Promise<boolean> {
  const shown = await fetch(`${url}/api/show`, { method: 'POST', body: JSON.stringify({ model }) });
  const { capabilities = [] } = shownSchema.parse(await shown.json());
  return capabilities.includes('completion') && capabilities.includes('tools');
}
