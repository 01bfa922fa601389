/** The journal of side effects (what was started, what came of it) and what the person allowed. */
import { z } from 'zod';
import type { Approval, ApprovalDecision, Grant, Risk } from '../../protocol/model.ts';
import { grantSchema, riskSchema } from '../../protocol/model.ts';
import type { Database } from './sqlite.ts';

interface CallIntent {
  callId: string;
  turnId: string;
  tool: string;
  args: unknown;
  at: number;
}

interface CallEnd {
  callId: string;
  ok: boolean;
  result: string;
  at: number;
}

export interface AnsweredApproval {
  /** As it was allowed: of an edited call what it says now. */
  approval: Approval;
  callId: string;
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  at: number;
}

/** Allowed for the rest of the session. */
interface StoredGrant extends Grant {
  risk: Risk;
}

/** How the calls of a turn ended; `unknown` = started, end never seen. */
export interface CallCounts {
  ran: number;
  unknown: number;
}

export type Journal = ReturnType<typeof createJournal>;

export function createJournal(database: Database) {
  const start = database.command<[string, string, string, string, string, number]>(
    // What the sandbox refused may run once more outside of it: then that is what nobody has seen the end of. Some models
    // count their calls, and begin once more after a summary: then it is a call of another turn.
    `INSERT INTO tool_calls (session_id, call_id, turn_id, tool, args, started_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET turn_id = excluded.turn_id, tool = excluded.tool, args = excluded.args,
       started_at = excluded.started_at, ended_at = NULL, ok = NULL, result = NULL`,
  );
  const end = database.command<[number, 0 | 1, string, string, string]>(
    'UPDATE tool_calls SET ended_at = ?, ok = ?, result = ? WHERE session_id = ? AND call_id = ?',
  );
  const counts = database.query<[string], CallCounts>(
    'SELECT count(ended_at) AS ran, count(*) - count(ended_at) AS unknown FROM tool_calls WHERE turn_id = ?',
    z.object({ ran: z.number(), unknown: z.number() }),
  );
  const called = database.query<[string, string], { found: number }>(
    'SELECT 1 AS found FROM tool_calls WHERE session_id = ? AND tool IN (SELECT value FROM json_each(?)) LIMIT 1',
    z.object({ found: z.number() }),
  );
  const answer = database.command<[string, string, string, string, string, string, string, string, number]>(
    `INSERT INTO approvals (id, session_id, call_id, tool, risk, body, decision, scope, answered_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const grantRow = grantSchema.extend({ risk: riskSchema });
  const columns = "tool, nullif(folder, '') AS folder, risk";
  const allow = database.command<[string, string, string, string, number]>(
    'INSERT OR REPLACE INTO approval_rules (session_id, tool, folder, risk, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const grants = database.query<[string], StoredGrant>(
    `SELECT ${columns} FROM approval_rules WHERE session_id = ? ORDER BY tool, folder`,
    grantRow,
  );
  const allGrants = database.query<[], StoredGrant & { sessionId: string; workspace: string }>(
    `SELECT session_id AS sessionId, workspace_real AS workspace, ${columns}
     FROM approval_rules JOIN sessions ON sessions.id = session_id
     WHERE deleted_at IS NULL ORDER BY session_id, tool, folder`,
    grantRow.extend({ sessionId: z.string(), workspace: z.string() }),
  );
  const revoke = database.command<[string, string, string]>(
    'DELETE FROM approval_rules WHERE session_id = ? AND tool = ? AND folder = ?',
  );

  return {
    /** Before a tool starts (G6). */
    recordIntent(sessionId: string, { callId, turnId, tool, args, at }: CallIntent): void {
      start.run(sessionId, callId, turnId, tool, JSON.stringify(args ?? null), at);
    },
    recordResult(sessionId: string, { callId, ok, result, at }: CallEnd): void {
      end.run(at, ok ? 1 : 0, result, sessionId, callId);
    },
    /** Whether one of these was ever started in the session, by a subagent too. */
    hasCalled: (sessionId: string, tools: ReadonlySet<string>): boolean =>
      called.get(sessionId, JSON.stringify([...tools])) !== undefined,
    countCalls: (turnId: string): CallCounts => counts.get(turnId) ?? { ran: 0, unknown: 0 },
    /** With the grant that it offered, where that was taken. */
    recordApproval(sessionId: string, { approval, callId, decision, scope, at }: AnsweredApproval): void {
      const { id, tool, risk, grant } = approval;
      database.transaction(() => {
        answer.run(id, sessionId, callId, tool, risk, JSON.stringify(approval), decision, scope, at);
        if (decision === 'allow' && scope === 'session' && grant)
          allow.run(sessionId, grant.tool, grant.folder ?? '', risk, at);
      });
    },
    sessionGrants: (sessionId: string): StoredGrant[] => grants.all(sessionId),
    /** Of every session that is not hidden, by session, tool and folder. `workspace`: the real path of its folder. */
    grants: (): (StoredGrant & { sessionId: string; workspace: string })[] => allGrants.all(),
    /** What ran by it stays recorded as allowed. False = there was none. */
    revokeGrant: (sessionId: string, { tool, folder }: Grant): boolean =>
      revoke.run(sessionId, tool, folder ?? '') > 0,
  };
}
