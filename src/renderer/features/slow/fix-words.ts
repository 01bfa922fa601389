import { slow } from '../../text.ts';
import type { Fix } from './findings.ts';

const text = slow.fix;

/** What its button says. */
export function fixVerb(fix: Fix): string {
  switch (fix.do) {
    case 'window':
      return text.window(fix.tokens);
    case 'eject':
      return text.eject(fix.model);
    case 'keep':
      return text.keepAlways;
    case 'compact':
      return text.compact;
    case 'reload':
      return text.reload;
    case 'open':
      return { profiles: text.tools, models: text.models, engine: text.hosts }[fix.section];
  }
}
