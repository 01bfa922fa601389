import { describeSimulator } from './simulated-engine.ts';

describeSimulator('0.33.2');
