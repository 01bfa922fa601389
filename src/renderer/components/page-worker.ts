/** Threads of the page. */

/** The part of `window.trustedTypes` that is used; the library's types do not have it yet. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown };
}

/** `address` as the build gives it (`?worker&url`); `name` is for who looks at the threads. */
export type StartWorker = (address: string, name: string) => Worker;

/** Named in the page's Content-Security-Policy, which refuses any other. */
const policyName = 'andiron-workers';

/**
 * Once per page: a policy can be created only once. Where the page requires trusted types, this is the only policy, and
 * it makes nothing but addresses of the page's own files.
 */
export function createWorkerStarter(page: Window & { readonly trustedTypes?: PolicyFactory }): StartWorker {
  const { location } = page;
  const ownAddress = (address: string): string => {
    const { protocol, host, href } = new URL(address, location.href);
    // Not `origin`: an address of the desktop's own scheme has none.
    if (protocol !== location.protocol || host !== location.host) {
      throw new TypeError(`${href} is no file of this page, so it is not started as a worker.`);
    }
    return href;
  };
  const policy = page.trustedTypes?.createPolicy(policyName, { createScriptURL: ownAddress });
  return (address, name) => {
    const trusted = policy ? policy.createScriptURL(address) : ownAddress(address);
    return new Worker(trusted as string, { type: 'module', name });
  };
}
