/**
 * Entry of the process that reads this machine through systeminformation. It answers each message of its parent with one
 * sample. Some of its readings block for seconds or for ever, so its parent kills it when it stays silent.
 */
import { currentLoad, graphics, mem, powerShellStart } from 'systeminformation';
import type { SystemSample } from './system-sample.ts';

interface ParentPort {
  on(event: 'message', listener: () => void): unknown;
  postMessage(message: unknown): void;
}

async function takeSample(): Promise<SystemSample> {
  const [{ controllers }, { total, available }, load] = await Promise.all([graphics(), mem(), currentLoad()]);
  return {
    controllers: controllers.map((card) => ({
      vendor: card.vendor,
      model: card.name || card.model,
      vram: card.vram,
      memoryTotal: card.memoryTotal,
      memoryUsed: card.memoryUsed,
      utilizationGpu: card.utilizationGpu,
      temperatureGpu: card.temperatureGpu,
      powerDraw: card.powerDraw,
    })),
    memory: { total, available },
    cpuLoad: load.currentLoad,
  };
}

// Each of its questions would otherwise start a PowerShell.
if (process.platform === 'win32') powerShellStart();

const { parentPort } = process as unknown as { parentPort?: ParentPort };
const post = (message: unknown): void => {
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
};
const answer = (): void => {
  // A reading that throws is a silent one: the parent decides what becomes of this process.
  takeSample().then(post, () => undefined);
};
if (parentPort) parentPort.on('message', answer);
else process.on('message', answer);
process.on('disconnect', () => process.exit());
