/** A yes to more than this once: in the session, or in its folder for good. The narrowest comes first. Pure. */
import type { Approval, CommandRule, HostScope } from '../../../protocol/model.ts';
import { wordsOfRule } from '../../components/words-of-rule.ts';
import { transcript } from '../../text.ts';

interface LastingAnswer {
  /** Around the words of a command, where there are any. */
  words: readonly string[];
  command?: string;
  /** What it covers, in full. */
  help: string | undefined;
  given: { scope: 'session' } | { rule: CommandRule } | { hostScope: HostScope };
}

export function lastingAnswers({ grant, rules = [], host }: Approval): LastingAnswer[] {
  const text = transcript.approval;
  return [
    ...(grant
      ? [
          {
            words: [text.allowSession(grant.tool, grant.shown)],
            help: grant.folder ?? undefined,
            given: { scope: 'session' as const },
          },
        ]
      : []),
    ...rules.map((rule) => ({
      // Beside a wider one; its words are the command that is asked about.
      ...(rule.isExact && rules.length > 1
        ? { words: [text.alwaysThis] }
        : { words: text.always, command: wordsOfRule(rule) }),
      help: text.alwaysHelp(rule.isExact),
      given: { rule },
    })),
    ...(host?.scopes ?? []).map((hostScope) => ({
      words: [text.hostScopes[hostScope]],
      help: text.hostScopeHelp[hostScope],
      given: { hostScope },
    })),
  ];
}
