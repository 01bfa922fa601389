import { reply, script, rule, startSim, type Dialect } from '../../src/sim/index.ts';
import { describeEngine } from './engine-contract.ts';

for (const dialect of ['0.33.2', '0.40'] satisfies Dialect[]) {
  describeEngine(`the simulator, dialect ${dialect}`, async () => {
    const sim = await startSim({
      dialect,
      models: [
        { name: 'qwen3.5:9b', family: 'qwen3.5' },
        { name: 'plain:1b', family: 'template-llama3.1', capabilities: ['completion'] },
      ],
      script: script([rule({}, reply().text('Hello there, friend.'))]),
    });
    return { url: sim.url, withTools: 'qwen3.5:9b', withoutTools: 'plain:1b', close: () => sim.close() };
  });
}
