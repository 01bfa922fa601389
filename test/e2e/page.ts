/** The window as tests drive it: by what a person and a screen reader find, never by class names. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';

export interface AxeViolation {
  id: string;
  help: string;
  nodes: string[];
}

export class AndironPage {
  readonly page: Page;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly sessions: Locator;
  readonly transcript: Locator;

  constructor(page: Page) {
    this.page = page;
    this.message = page.getByRole('textbox', { name: 'Message' });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.sessions = page.getByRole('list', { name: 'Sessions' });
    this.transcript = page.getByRole('log', { name: 'Transcript' });
  }

  /** The composer takes a message. */
  async ready(): Promise<void> {
    await this.message.waitFor();
  }

  async ask(text: string): Promise<void> {
    await this.message.fill(text);
    await this.send.click();
  }

  /** Stop is gone: no turn runs in the open session. */
  async turnEnded(timeout = 20_000): Promise<void> {
    await this.stop.waitFor({ state: 'hidden', timeout });
  }

  /** Runs axe-core in the page. */
  async axe(): Promise<AxeViolation[]> {
    await this.page.evaluate(axeSource());
    return this.page.evaluate(async () => {
      const { axe } = globalThis as typeof globalThis & {
        axe: { run(): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) }));
    });
  }
}

const axeSource = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
