/** Counts what text must never cause in a page: each counter is one way in which text has become more than text. */
import type { BrowserContext, Page } from 'playwright-core';

export interface Counts {
  /** Calls of the sentinel: code of a text ran. */
  scripts: number;
  /** What the page's policy refused: code or a request of a text that would have run or gone out. */
  violations: number;
  /** Requests and sockets to anywhere but the page's own files and pipes. */
  requests: number;
  /** Of the page, of a frame in it, or of its place in the history. */
  navigations: number;
  /** New windows and downloads. */
  popups: number;
  dialogs: number;
  /** Elements and attributes that no part of the window makes. */
  markup: number;
}

/** Calls the sentinel: what the scripts of malicious texts do. */
export const sentinel = 'ran()';

/** What the window is made of; everything else came out of a text. */
const elements =
  `html head title meta link script style body div main nav header footer section aside p span h1 h2 h3 h4
  a b em strong del code pre blockquote br hr ul ol li dl dt dd table thead tbody tr th td figure figcaption button input
  textarea label output svg path circle rect line polyline polygon ellipse g kbd small fieldset legend form select option
  i progress details summary bdi mark defs marker text tspan math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle
  mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose`.split(
    /\s+/,
  );

/** Paths that the window asks for. */
const ownPath = /^\/(session|host|engine|assets\/[\w.-]+|favicon\.ico)?$/;

declare global {
  interface Window {
    /** Given by the test: counts in its process. */
    tripped: (counter: keyof Counts, what: string) => void;
    /** Marks such as "S017:" that were ever in this document. */
    seen: Set<string>;
    /** Questions to the person that were ever in this document. */
    asked: number;
  }
}

export class PageWatch {
  readonly counts: Counts = {
    scripts: 0,
    violations: 0,
    requests: 0,
    navigations: 0,
    popups: 0,
    dialogs: 0,
    markup: 0,
  };
  /** What was counted, in words, for whoever must find it. */
  readonly trips: string[] = [];
  readonly #context: BrowserContext;
  readonly #origin: string;
  #pages = new Set<Page>();
  /** Pages that the test opens itself. */
  #expected = 0;
  /** The test itself navigates. */
  #quiet = false;

  private constructor(context: BrowserContext, origin: string) {
    this.#context = context;
    this.#origin = origin;
  }

  /** @param origin of the page that is watched: `http://127.0.0.1:PORT` */
  static async on(context: BrowserContext, origin: string): Promise<PageWatch> {
    const watch = new PageWatch(context, origin);
    await context.exposeBinding('ran', ({ frame }) => watch.#trip('scripts', frame.url()));
    await context.exposeBinding('tripped', ({ frame }, counter: keyof Counts, what: string) =>
      watch.#trip(counter, `${what} in ${frame.url()}`),
    );
    await context.addInitScript(watchDocument, elements);
    context.on('request', (request) => watch.#request(request.url()));
    context.on('page', (page) => {
      if (!watch.#pages.has(page)) watch.#adopt(page);
    });
    return watch;
  }

  /** A page of the test's own; any other one is a popup. */
  async open(url: string): Promise<Page> {
    this.#expected += 1;
    const page = await this.#context.newPage();
    await this.#navigating(() => page.goto(url));
    return page;
  }

  async reload(page: Page): Promise<void> {
    await this.#navigating(() => page.reload());
  }

  async #navigating(work: () => Promise<unknown>): Promise<void> {
    this.#quiet = true;
    await work();
    this.#quiet = false;
  }

  #adopt(page: Page): void {
    this.#pages.add(page);
    if (this.#expected > 0) this.#expected -= 1;
    else this.#trip('popups', page.url());
    page.on('dialog', (dialog) => {
      this.#trip('dialogs', dialog.message());
      void dialog.dismiss();
    });
    page.on('download', (download) => this.#trip('popups', download.url()));
    page.on('websocket', (socket) => this.#request(socket.url()));
    page.on('frameattached', (frame) => this.#trip('navigations', `frame ${frame.url()}`));
    page.on('framenavigated', (frame) => {
      if (!this.#quiet) this.#trip('navigations', frame.url());
    });
  }

  #request(url: string): void {
    const { protocol, host, pathname } = new URL(url);
    const isOwn =
      /^(http|ws):$/.test(protocol) && host === new URL(this.#origin).host && ownPath.test(pathname);
    if (!isOwn) this.#trip('requests', url);
  }

  #trip(counter: keyof Counts, what: string): void {
    this.counts[counter] += 1;
    this.trips.push(`${counter}: ${what.slice(0, 200)}`);
  }
}

/** Runs in every frame before anything else does. */
function watchDocument(known: string[]): void {
  const allowed = new Set(known);
  window.seen = new Set();
  window.asked = 0;
  document.addEventListener('securitypolicyviolation', (event) => {
    window.tripped('violations', `${event.effectiveDirective} ${event.blockedURI}`);
  });

  const ownAddress = new RegExp(`^((${location.origin}|\\.)?/assets/|data:,$|#)`);
  let markups = 0;
  // Methods, because the page knows nothing of this module's functions.
  const judge = {
    isOdd({ localName }: Element, { name, value }: Attr): boolean {
      if (name.startsWith('on') || ['srcdoc', 'ping', 'formaction', 'action', 'background'].includes(name))
        return true;
      if (name === 'href' && localName === 'a') return !/^https?:\/\//.test(value);
      return (name === 'src' || name.endsWith('href')) && !ownAddress.test(value);
    },
    /** Of a page full of markup a part says enough. */
    report(what: string): void {
      markups += 1;
      window.tripped('markup', what);
    },
    check(element: Element): void {
      const { localName } = element;
      if (element.getAttribute('aria-label') === 'Approval') window.asked += 1;
      if (markups > 50) return;
      if (!allowed.has(localName)) judge.report(`<${localName}>`);
      if (localName === 'script' && !element.hasAttribute('src')) judge.report('an inline script');
      for (const attribute of element.attributes) {
        const { name, value } = attribute;
        if (judge.isOdd(element, attribute)) judge.report(`${localName} ${name}=${value}`);
      }
    },
    note({ textContent }: Node): void {
      for (const mark of textContent?.match(/[A-Z]\d{3}(?=:)/g) ?? []) window.seen.add(mark);
    },
  };
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') judge.note(target);
      if (type === 'attributes' && target instanceof Element) judge.check(target);
      for (const node of addedNodes) {
        judge.note(node);
        if (!(node instanceof Element)) continue;
        judge.check(node);
        for (const inner of node.querySelectorAll('*')) judge.check(inner);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
