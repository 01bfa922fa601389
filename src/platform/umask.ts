/**
 * The permissions that new files do without. Andiron's own files are for the person alone; what the person's programs and
 * the agent make in a workspace has the permissions that the person is used to.
 */

/** What nobody but the owner may do is left out. */
const privateMask = 0o077;

/** From now on what this process makes is the person's alone. Returns the mask that the person has. */
export function becomePrivate(): number {
  return process.umask(privateMask);
}

/** Reads the mask of this process. Node can only exchange it. */
export function currentUmask(): number {
  const mask = process.umask(privateMask);
  process.umask(mask);
  return mask;
}

/** Starts a program with the person's mask: it takes it over the moment it is started. `run` must not wait for anything. */
export function withUmask<T>(mask: number | undefined, run: () => T): T {
  if (mask === undefined) return run();
  const before = process.umask(mask);
  try {
    return run();
  } finally {
    process.umask(before);
  }
}
