/** Why there is no update: one sentence for the person, by the kind of failure. */

export type UpdateFailureCode =
  | 'no-key'
  | 'not-installed'
  | 'not-signed'
  | 'with-options'
  | 'offline'
  | 'server-error'
  | 'no-feed'
  | 'no-file'
  | 'unsigned'
  | 'bad-signature'
  | 'other-feed'
  | 'replayed'
  | 'older'
  | 'unreadable'
  | 'insecure'
  | 'redirected'
  | 'too-large'
  | 'too-slow'
  | 'cut-off'
  | 'wrong-hash'
  | 'disk-full'
  | 'not-written'
  | 'not-replaced'
  | 'not-finished'
  | 'not-accepted'
  | 'failed';

const sentences: Record<UpdateFailureCode, string> = {
  'no-key': "This build has no update key, so it can't check for updates.",
  'not-installed': "This copy wasn't installed from a package, so it can't update.",
  'not-signed': "This build isn't signed with a certificate, so macOS can't update it.",
  'with-options':
    "Andiron was started with options, which an update can't keep. Start it without them to update.",
  offline: "Andiron couldn't reach the update server. It tries again tomorrow.",
  'server-error': 'The update server reported an error. Andiron tries again tomorrow.',
  'no-feed': 'The update server has no updates for this system.',
  'no-file': "The update server doesn't have the new version yet. Andiron tries again tomorrow.",
  unsigned: "The update feed isn't signed, so Andiron ignored it.",
  'bad-signature': "The update feed's signature is wrong, so Andiron ignored it.",
  'other-feed': 'The update feed belongs to another system or channel, so Andiron ignored it.',
  replayed: 'The update server sent an older feed than last time, so Andiron ignored it.',
  older: 'The update server offers an older version than this one, so Andiron ignored it.',
  unreadable: "The update feed can't be read, so Andiron ignored it.",
  insecure: "The update server's address isn't encrypted, so Andiron didn't use it.",
  redirected: "The update server pointed to an address that Andiron doesn't trust.",
  'too-large': 'The update server sent more than it should, so Andiron stopped the download.',
  'too-slow': 'The update server is too slow. Andiron tries again tomorrow.',
  'cut-off': 'The download of the update broke off. Andiron tries again tomorrow.',
  'wrong-hash': "The downloaded update isn't the one that was signed, so Andiron deleted it.",
  'disk-full': 'The disk is too full for the update. Free some space and try again.',
  'not-written': "Andiron couldn't write the update to the disk.",
  'not-replaced': "Andiron couldn't replace its own files, so this version stays.",
  'not-finished': "The installer of the update didn't finish, so this version stays.",
  'not-accepted': "macOS didn't accept the update, so this version stays. The log has the details.",
  failed: 'The update failed, so this version stays. The log has the details.',
};

export class UpdateFailure extends Error {
  readonly code: UpdateFailureCode;

  /** @param options `cause`: what the log should have */
  constructor(code: UpdateFailureCode, options?: ErrorOptions) {
    super(sentences[code], options);
    this.name = 'UpdateFailure';
    this.code = code;
  }
}

/** A code that was kept in a file; one that is none is a failure that nobody knows more of. */
export const updateFailureCodeOf = (code: string): UpdateFailureCode =>
  Object.hasOwn(sentences, code) ? (code as UpdateFailureCode) : 'failed';

/** Whatever was thrown, as a failure with a sentence. */
export function updateFailureOf(error: unknown): UpdateFailure {
  if (error instanceof UpdateFailure) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UpdateFailure('disk-full', { cause: error });
  // Only errors of the file system name a path.
  if (error instanceof Error && 'path' in error) return new UpdateFailure('not-written', { cause: error });
  return new UpdateFailure('failed', { cause: error });
}
