/** What is known of each attached file, and which sessions hold it. Their bytes are `host/attachments`' business. */
import { z } from 'zod';
import { attachmentSchema, type Attachment } from '../../protocol/attachments.ts';
import { parseJson } from '../../protocol/json.ts';
import type { Database } from './sqlite.ts';

export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

const columns = 'id, name, kind, mime, bytes, origin';
const fileRow = attachmentSchema
  .omit({ from: true })
  .extend({ origin: z.string().nullable() })
  .transform(({ origin, ...file }): Attachment =>
    origin === null ? file : attachmentSchema.parse({ ...file, from: parseJson(origin) }),
  );
const unclaimed = 'NOT EXISTS (SELECT 1 FROM attachment_claims WHERE attachment_id = attachments.id)';

export function createAttachmentStore(database: Database) {
  const insert = database.command<[string, string, string, string, number, string | null, number]>(
    `INSERT INTO attachments (${columns}, since) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const one = database.query<[string], Attachment>(
    `SELECT ${columns} FROM attachments WHERE id = ?`,
    fileRow,
  );
  const held = database.query<[string], Attachment>(
    `SELECT ${columns} FROM attachments JOIN attachment_claims ON attachment_id = id WHERE session_id = ? ORDER BY id`,
    fileRow,
  );
  const claim = database.command<[string, string]>(
    'INSERT INTO attachment_claims (session_id, attachment_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const release = database.command<[string, string]>(
    'DELETE FROM attachment_claims WHERE session_id = ? AND attachment_id = ?',
  );
  const renew = database.command<[string, number]>('UPDATE attachments SET since = ?2 WHERE id = ?1');
  const drop = database.query<[string], Attachment>(
    `DELETE FROM attachments WHERE id = ? AND ${unclaimed} RETURNING ${columns}`,
    fileRow,
  );
  const oldest = database.query<[number], { id: string }>(
    `SELECT id FROM attachments WHERE since < ? AND ${unclaimed}`,
    z.object({ id: z.string() }),
  );

  return {
    addAttachment: ({ id, name, kind, mime, bytes, from }: Attachment, at: number): void =>
      void insert.run(id, name, kind, mime, bytes, from ? JSON.stringify(from) : null, at),
    /** In this order; one that is gone is left out. */
    attachments: (ids: readonly string[]): Attachment[] => ids.flatMap((id) => one.get(id) ?? []),
    attachmentsOf: (sessionId: string): Attachment[] => held.all(sessionId),
    claimAttachments(sessionId: string, ids: readonly string[]): void {
      for (const id of ids) claim.run(sessionId, id);
    },
    /** Back to the drafts, for another day. */
    releaseAttachments(sessionId: string, ids: readonly string[], at: number): void {
      for (const id of ids) {
        release.run(sessionId, id);
        renew.run(id, at);
      }
    },
    /** Forgets this one, or what was no part of any message since `before`; returns what its files may go of. */
    dropUnclaimed(of: { id: string } | { before: number }): Attachment[] {
      if ('id' in of) return drop.all(of.id);
      return database.transaction(() => oldest.all(of.before).flatMap(({ id }) => drop.all(id)));
    },
  };
}
