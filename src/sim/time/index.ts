export { seededRandom, type Random } from './random.ts';
export { createTimeModel, loadSeconds, type TimeModel, type TimeProfile } from './time-model.ts';
