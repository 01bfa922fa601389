/** Once before all files that need a browser, in vitest's own process. */
export { prepareChromium as setup } from './chromium.ts';
