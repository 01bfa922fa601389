import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type WebApp } from './launch-web.ts';

let browser: Browser;
let app: WebApp;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});

test('a turn with coloured code raises no complaint of the policy (audit-S29)', async () => {
  const { window, complaints, close } = await app.open();
  await window.ready();
  await window.ask('What is in this folder? Read the readme and tell me what it does.');
  await window.stop.waitFor();
  await window.turnEnded();
  await window.showWork();
  await window.page.getByRole('button', { name: /^Read/ }).first().click();
  // Colours come from a worker, which the policy lets start.
  await expect.poll(() => window.page.workers().map((worker) => worker.url())).not.toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('the page refuses text where markup or code is made of it (audit-S29)', async () => {
  const { window, close } = await app.open();
  await window.ready();
  const refused = await window.page.evaluate(() => {
    const page = globalThis as typeof globalThis & {
      trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
    };
    const careless = { createHTML: (text: string) => text, createScriptURL: (text: string) => text };
    const tries: Record<string, () => unknown> = {
      innerHTML: () => (document.createElement('div').innerHTML = '<b>b</b>'),
      outerHTML: () => document.body.firstElementChild?.setHTMLUnsafe('<b>b</b>'),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>b</b>'),
      parseFromString: () => new DOMParser().parseFromString('<b>b</b>', 'text/html'),
      srcdoc: () => (document.createElement('iframe').srcdoc = '<b>b</b>'),
      scriptSource: () => (document.createElement('script').src = '/assets/x.js'),
      scriptText: () => (document.createElement('script').text = 'ran()'),
      worker: () => new Worker('/assets/x.js'),
      otherPolicy: () => page.trustedTypes.createPolicy('default', careless),
      samePolicy: () => page.trustedTypes.createPolicy('andiron-workers', careless),
    };
    return Object.entries(tries).map(([name, run]) => {
      try {
        run();
        return `${name} was taken`;
      } catch (error) {
        return error instanceof TypeError ? name : `${name}: ${String(error)}`;
      }
    });
  });
  const sinks =
    'innerHTML outerHTML insertAdjacentHTML parseFromString srcdoc scriptSource scriptText worker';
  expect(refused).toEqual([...sinks.split(' '), 'otherPolicy', 'samePolicy']);
  await close();
});
