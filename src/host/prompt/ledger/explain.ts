/** Names the one cause of a re-read: the strongest evidence first, a guess never. */
import type { RereadCause } from '../../../protocol/engine-room.ts';
import type { Announcement, Reload } from './types.ts';
import { describe, ownerOf, type Owner } from './cause-words.ts';
import type { Change } from './parting.ts';

export interface Cause {
  cause: RereadCause;
  owner: Owner | null;
  detail: string;
}

export interface Evidence {
  /** Since the earlier prompt of this session. */
  reload: Reload | null;
  /** The request itself had to wait for a load, and nobody told of one. */
  loadedNow: boolean;
  /** The engine counted fewer tokens than the known part of the prompt has. */
  isCut: boolean;
  /** What changed against the session's last prompt; null = it only grew. */
  change: Change | null;
  /** Of the session's last request, which was stopped before it had read everything. */
  unfinished: Cause | null;
  announced: Announcement | null;
  thinkChanged: boolean;
  /** The last reply is not rendered as it was written; the way in which. */
  respelt: RereadCause | null;
  /** Another program's prompt was seen in the slot. */
  foreign: boolean;
  /** Requests of other conversations had the slot, or Andiron's own questions, which belong to none. */
  others: boolean;
  asked: boolean;
  /** Something less than believed was found. */
  isLess: boolean;
  /** More was lost to that than to any change of the prompt. */
  isMostlyLost: boolean;
  canRewind: boolean;
  /** The memory could not go back to where the prompts part. */
  cannotGoBack: boolean;
  /** At least something was found. */
  foundSome: boolean;
}

/** Changes that are the person's when the person asked for them. */
const choosable: ReadonlySet<RereadCause> = new Set([
  'history_rewritten',
  'head_changed',
  'tools_changed',
  'flag_changed',
]);

const named = (cause: RereadCause, detail = describe(cause), owner = ownerOf(cause)): Cause => ({
  cause,
  owner,
  detail,
});

export function explain(evidence: Evidence): Cause {
  const { reload, change, announced } = evidence;
  if (reload && reload.by === 'andiron' && announced?.by === 'person' && announced.reloads)
    return named('persons_choice', `${announced.detail} The model was loaded for it.`);
  if (reload) return named('reload', `${describe('reload')} ${reload.reason}`.trim(), reload.by);
  if (evidence.loadedNow)
    return named(
      'reload',
      'The model was reloaded: its process ended, or another program loaded it differently.',
    );
  if (evidence.isCut) return named('window');
  if (evidence.isMostlyLost) return ofEngine(evidence);
  if (change && !change.isShorter) return ofChange(change.cause, announced);
  if (change && announced) return ofChange(change.cause, announced);
  if (evidence.respelt && !lostToOthers(evidence)) return ofChange(evidence.respelt, announced);
  if (evidence.unfinished && !lostToOthers(evidence)) return evidence.unfinished;
  if (evidence.thinkChanged) return ofChange('flag_changed', announced);
  return ofEngine(evidence);
}

function ofChange(cause: RereadCause, announced: Announcement | null): Cause {
  if (announced === null || !choosable.has(cause)) return named(cause);
  if (announced.by === 'person') return named('persons_choice', announced.detail);
  return named(cause, announced.detail);
}

const lostToOthers = ({ foreign, others, isLess }: Evidence): boolean => isLess && (foreign || others);

/** Nothing of ours changed: the engine no longer had it, or could not go back to it. */
function ofEngine(evidence: Evidence): Cause {
  if (evidence.foreign) return named('other_program');
  const lost = evidence.asked ? 'own_question' : 'cache_evicted';
  if (evidence.others && evidence.isLess) return named(lost);
  if (evidence.cannotGoBack && !evidence.canRewind) return named('checkpoint');
  if (!evidence.canRewind && evidence.foundSome) return named('checkpoint');
  return named(evidence.others ? lost : 'unknown');
}
