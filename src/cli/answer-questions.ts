/** Questions before a tool runs: asked where a person sits at a terminal, and denied where nobody does. */
import type { Approval, ToolDisplay } from '../protocol/model.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';
import type { CliOutput } from './cli-output.ts';
import type { Question } from './follow-turn.ts';
import type { HostRpc } from './host-rpc.ts';
import type { LineReader } from './line-reader.ts';
import { quoted } from './terminal-text.ts';

export interface Questions {
  ask(question: Question): void;
  resolved(itemId: string): void;
  /** What was denied because nobody could be asked. */
  denied: readonly string[];
  /** So many of them only the window can ask. */
  readonly forms: number;
}

export interface QuestionDeps {
  rpc: HostRpc;
  sessionId: string;
  output: CliOutput;
  /** null = nobody can be asked. */
  lines: LineReader | null;
  /** Fires when the turn is to be stopped. */
  signal: AbortSignal;
}

type Answer = { decision: 'allow'; scope: 'once' | 'session' } | { decision: 'deny'; reply?: string };

/** The model reads it. */
const nobody = 'Nobody is at a terminal to answer, so this was denied.';

export function createQuestions({ rpc, sessionId, output, lines, signal }: QuestionDeps): Questions {
  const open = new Map<string, AbortController>();
  const denied: string[] = [];
  let forms = 0;
  /** One is asked at a time. */
  let asking: Promise<void> = Promise.resolve();

  const send = async ({ id }: Approval, answer: Answer): Promise<void> => {
    try {
      await rpc.call('approval/answer', { sessionId, approvalId: id, ...answer });
    } catch {
      // It was answered elsewhere, or its turn is over.
    }
  };

  const askPerson = async (
    { approval, preview }: Question,
    from: LineReader,
    end: AbortSignal,
  ): Promise<void> => {
    if (end.aborted) return;
    output.note(describe(approval, preview));
    const forSession = approval.scopes.includes('session');
    output.prompt(forSession ? 'Allow? [y]es, for this [s]ession, [N]o: ' : 'Allow? [y]es, [N]o: ');
    // A pasted text may hold a line that reads as a yes to a question that nobody has seen.
    const line = await from.nextFromNow(end);
    if (end.aborted) return;
    await send(approval, answerOf(line, forSession));
  };

  return {
    denied,
    get forms() {
      return forms;
    },
    ask(question) {
      const { approval, itemId } = question;
      const what = `${approval.tool}: ${approval.summary}`;
      if (approval.form) {
        denied.push(what);
        forms += 1;
        output.note(`Declined, because it can only be answered in the window:\n${quoted(approval.summary)}`);
        void send(approval, { decision: 'deny' });
        return;
      }
      if (!lines) {
        denied.push(what);
        output.note(`Denied, because nobody can be asked here:\n${quoted(what)}`);
        void send(approval, { decision: 'deny', reply: nobody });
        return;
      }
      const answered = new AbortController();
      open.set(itemId, answered);
      const end = AbortSignal.any([signal, answered.signal]);
      asking = asking.then(() => askPerson(question, lines, end));
    },
    resolved(itemId) {
      open.get(itemId)?.abort();
      open.delete(itemId);
    },
  };
}

/** Anything but a clear yes is a no. */
function answerOf(line: string | null, forSession: boolean): Answer {
  const said = line?.trim().toLowerCase();
  if (said === 'y' || said === 'yes') return { decision: 'allow', scope: 'once' };
  if (forSession && (said === 's' || said === 'session')) return { decision: 'allow', scope: 'session' };
  return { decision: 'deny' };
}

function describe(approval: Approval, preview: ToolDisplay | null): string {
  const { tool, summary, mutates, why, where, sandboxed, editable, risk, quote } = approval;
  const call = editable && editable.text !== summary ? `${summary}\n${editable.text}` : summary;
  const inSandbox = sandboxed ? 'in the sandbox' : 'not sandboxed';
  return [
    `Andiron asks before ${tool}${risk === 'execute' ? ` (${inSandbox})` : ''}:`,
    quoted(call),
    ...(preview === null ? [] : [quoted(previewText(preview))]),
    ...[mutates, why].filter((text) => text !== '').map(visibleName),
    ...(quote === undefined
      ? []
      : [
          'It comes from this text, which was not written by you:',
          quoted(`${quote.before}${quote.piece}${quote.after}`),
        ]),
    `Folder: ${visibleName(where)}`,
  ].join('\n');
}

function previewText(preview: ToolDisplay): string {
  return preview.kind === 'diff' ? diffText(preview) : JSON.stringify(preview, null, 2);
}

function diffText({ hunks }: Extract<ToolDisplay, { kind: 'diff' }>): string {
  return hunks.flatMap(({ lines }) => lines).join('\n');
}
