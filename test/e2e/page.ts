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
  /** The question that waits for an answer. */
  readonly approval: Locator;
  readonly queue: Locator;

  constructor(page: Page) {
    this.page = page;
    this.message = page.getByRole('textbox', { name: 'Message' });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.sessions = page.getByRole('list', { name: 'Sessions' });
    this.transcript = page.getByRole('log', { name: 'Transcript' });
    this.approval = this.transcript.getByRole('region', { name: 'Approval' });
    this.queue = page.getByRole('list', { name: 'Queued messages' });
  }

  /** What this tab opens its sockets with. */
  async secret(): Promise<string> {
    const secret = await this.page.evaluate(() => sessionStorage.getItem('andiron.secret'));
    if (secret === null) throw new Error('This tab is not signed in.');
    return secret;
  }

  /** The composer takes a message. */
  async ready(): Promise<void> {
    await this.message.waitFor();
  }

  /** Resolves once the message left its box, with Stop in sight: it waits there for a host that still starts. */
  async ask(text: string): Promise<void> {
    await this.message.fill(text);
    await this.send.click();
    await this.message.and(this.page.locator(':placeholder-shown')).waitFor();
  }

  /** While a turn runs. Resolves when the host has taken it: until then the next one would stay in the box. */
  async enqueue(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
    const queued = this.queue.getByRole('listitem').filter({ hasText: text });
    await queued.getByRole('button', { name: 'Edit' }).waitFor();
  }

  /** Of the session that the next message makes, or of the open one. */
  async chooseProfile(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Profile:/ }).click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
    await this.page.getByRole('button', { name: `Profile: ${name}` }).waitFor();
  }

  /** Where no question comes, the window says what came instead. */
  async allow(): Promise<void> {
    const button = this.approval.getByRole('button', { name: /^Allow once/ });
    await button.click().catch(async (cause: unknown) => {
      const shown = await this.page.locator('body').innerText();
      throw new Error(`No question could be allowed in this window:\n${shown}`, { cause });
    });
  }

  /** A card of the transcript by its name: a plan, a subagent, a summary. */
  card(name: string | RegExp): Locator {
    return this.transcript.getByRole('group', { name });
  }

  /** Opens what the newest turn that worked did before its answer. */
  async showWork(): Promise<void> {
    await this.transcript
      .getByRole('button', { name: /\d+ steps$/, expanded: false })
      .last()
      .click();
  }

  /** Opens the list of files that the newest turn changed. */
  async showChanges(): Promise<void> {
    await this.transcript
      .getByRole('button', { name: /\d+ files? changed/, expanded: false })
      .last()
      .click();
  }

  /** Stop is gone: no turn runs in the open session. */
  async turnEnded(timeout = 240_000): Promise<void> {
    await this.stop.waitFor({ state: 'hidden', timeout });
  }

  /** Runs axe-core in the page, which itself takes no script as text: the debugger brings it in. */
  async axe(): Promise<AxeViolation[]> {
    const debug = await this.page.context().newCDPSession(this.page);
    await debug.send('Runtime.evaluate', { expression: axeSource() });
    await debug.detach();
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
