/** Entry of the inventory process: prints one line of JSON and ends. Its parent kills it when it takes too long. */
import { graphics } from 'systeminformation';
import type { Inventory } from './inventory.ts';

const { controllers } = await graphics();
const inventory: Inventory = {
  controllers: controllers.map(({ vendor, model, vram }) => ({ vendor, model, vram })),
};
process.stdout.write(`${JSON.stringify(inventory)}\n`);
