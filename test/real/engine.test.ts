import { describeEngine } from '../contract/engine-contract.ts';
import { realEngine } from './real-engine.ts';

describeEngine('a real Ollama', async () => ({ ...(await realEngine()), close: async () => undefined }));
