/** The journal of side effects (what was started, what came of it) and what the person allowed. */
import { z } from 'zod';
import type { Approval, ApprovalDecision, Risk } from '../../protocol/model.ts';
import { riskSchema } from '../../protocol/model.ts';
import type { Database } from './sqlite.ts';

export interface CallIntent {
  callId: string;
  turnId: string;
  tool: string;
  args: unknown;
  at: number;
}

export interface CallEnd {
  callId: string;
  ok: boolean;
  result: string;
  at: number;
}

export interface AnsweredApproval {
  approval: Approval;
  callId: string;
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  at: number;
}

/** Allowed for the rest of the session. */
export interface Grant {
  tool: string;
  risk: Risk;
}

/** How the calls of a turn ended; `unknown` = started, end never seen. */
export interface CallCounts {
  ran: number;
  unknown: number;
}

export interface Journal {
  /** Before a tool starts (G6). */
  recordIntent(sessionId: string, intent: CallIntent): void;
  recordResult(sessionId: string, end: CallEnd): void;
  countCalls(turnId: string): CallCounts;
  recordApproval(sessionId: string, answered: AnsweredApproval): void;
  sessionGrants(sessionId: string): Grant[];
  /** Of every session that is not hidden, by session and tool. */
  grants(): (Grant & { sessionId: string })[];
  /** What ran by it stays recorded as allowed, once. False = there was none. */
  revokeGrant(sessionId: string, tool: string): boolean;
}

export function createJournal(database: Database): Journal {
  const start = database.command<[string, string, string, string, string, number]>(
    'INSERT INTO tool_calls (session_id, call_id, turn_id, tool, args, started_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const end = database.command<[number, 0 | 1, string, string, string]>(
    'UPDATE tool_calls SET ended_at = ?, ok = ?, result = ? WHERE session_id = ? AND call_id = ?',
  );
  const counts = database.query<[string], CallCounts>(
    'SELECT count(ended_at) AS ran, count(*) - count(ended_at) AS unknown FROM tool_calls WHERE turn_id = ?',
    z.object({ ran: z.number(), unknown: z.number() }),
  );
  const answer = database.command<[string, string, string, string, string, string, string, string, number]>(
    `INSERT INTO approvals (id, session_id, call_id, tool, risk, body, decision, scope, answered_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const grants = database.query<[string], Grant>(
    `SELECT DISTINCT tool, risk FROM approvals
     WHERE session_id = ? AND decision = 'allow' AND scope = 'session' ORDER BY tool`,
    z.object({ tool: z.string(), risk: riskSchema }),
  );
  const allGrants = database.query<[], Grant & { sessionId: string }>(
    `SELECT DISTINCT session_id AS sessionId, tool, risk FROM approvals JOIN sessions ON sessions.id = session_id
     WHERE decision = 'allow' AND scope = 'session' AND deleted_at IS NULL ORDER BY session_id, tool`,
    z.object({ sessionId: z.string(), tool: z.string(), risk: riskSchema }),
  );
  const revoke = database.command<[string, string]>(
    "UPDATE approvals SET scope = 'once' WHERE session_id = ? AND tool = ? AND scope = 'session'",
  );

  return {
    recordIntent(sessionId, { callId, turnId, tool, args, at }) {
      start.run(sessionId, callId, turnId, tool, JSON.stringify(args ?? null), at);
    },
    recordResult(sessionId, { callId, ok, result, at }) {
      end.run(at, ok ? 1 : 0, result, sessionId, callId);
    },
    countCalls: (turnId) => counts.get(turnId) ?? { ran: 0, unknown: 0 },
    recordApproval(sessionId, { approval, callId, decision, scope, at }) {
      const { id, tool, risk } = approval;
      answer.run(id, sessionId, callId, tool, risk, JSON.stringify(approval), decision, scope, at);
    },
    sessionGrants: (sessionId) => grants.all(sessionId),
    grants: () => allGrants.all(),
    revokeGrant: (sessionId, tool) => revoke.run(sessionId, tool) > 0,
  };
}
