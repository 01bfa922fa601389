/** What is injected, where it can happen, and how often. */
import type { RereadCause } from '../../../src/protocol/engine-room.ts';
import type { TemplateCard } from '../../../src/host/prompt/card/card.ts';
import type { TemplatePolicy } from '../../../src/host/prompt/template-policy.ts';
import type { SimModel } from '../../../src/sim/models.ts';
import type { Owner } from '../../../src/host/prompt/ledger/cause-words.ts';

/** One way to bring a cause about. */
export type Injection =
  | 'tool list'
  | 'system text'
  | 'think switch'
  | 'compaction'
  | 'quiet rewrite'
  | 'new message'
  | 'text beside call'
  | 'odd arguments'
  | 'midnight'
  | 'side call'
  | 'evicted'
  | 'cut by engine'
  | 'reload told'
  | 'reload untold'
  | 'other program'
  | 'other program seen'
  | 'edit'
  | 'edit and cut'
  | 'profile switch'
  | 'lost in silence';

export interface Expected {
  cause: RereadCause;
  owner: Owner | null;
}

export interface Lay {
  model: SimModel;
  card: TemplateCard;
  policy: TemplatePolicy;
  /** Little room beside the slot. */
  isTight: boolean;
}

const always = (): boolean => true;
const tight = ({ isTight }: Lay): boolean => isTight;
const keepsPoints = ({ model }: Lay): boolean => model.memory.kind !== 'full';
const hasTools = ({ model }: Lay): boolean => model.capabilities.includes('tools');
export const thinks = ({ model }: Lay): boolean => model.capabilities.includes('thinking');

/** With the share of the draws, where it can happen. */
export const injections: readonly (readonly [Injection, number, (lay: Lay) => boolean])[] = [
  ['tool list', 2, always],
  ['system text', 2, always],
  ['think switch', 1, (lay) => thinks(lay) && lay.model.family.name !== 'qwen3.8'],
  ['compaction', 2, always],
  ['quiet rewrite', 1, always],
  ['new message', 3, always],
  ['text beside call', 2, (lay) => hasTools(lay) && lay.model.path !== 'template' && !lay.policy.callsAsText],
  ['odd arguments', 3, (lay) => hasTools(lay) && !lay.policy.callsAsText],
  ['midnight', 2, ({ card }) => card.date === 'always'],
  ['side call', 2, keepsPoints],
  ['evicted', 2, tight],
  ['cut by engine', 1, always],
  ['reload told', 3, always],
  ['reload untold', 1, always],
  ['other program', 1, tight],
  ['other program seen', 1, tight],
  ['edit', 2, always],
  ['edit and cut', 2, keepsPoints],
  ['profile switch', 1, always],
  ['lost in silence', 1, always],
];

/** What the ledger should say of each; `natural` = whatever the template then does. */
export const expectedOf: Readonly<Partial<Record<Injection, Expected>>> = {
  'tool list': { cause: 'tools_changed', owner: 'andiron' },
  'system text': { cause: 'head_changed', owner: 'andiron' },
  'think switch': { cause: 'flag_changed', owner: 'andiron' },
  compaction: { cause: 'history_rewritten', owner: 'andiron' },
  'quiet rewrite': { cause: 'history_rewritten', owner: 'andiron' },
  midnight: { cause: 'date_changed', owner: 'template' },
  'side call': { cause: 'checkpoint', owner: 'engine' },
  evicted: { cause: 'cache_evicted', owner: 'engine' },
  'cut by engine': { cause: 'window', owner: 'engine' },
  'reload untold': { cause: 'reload', owner: 'engine' },
  'other program': { cause: 'other_program', owner: 'other_program' },
  'other program seen': { cause: 'other_program', owner: 'other_program' },
  edit: { cause: 'persons_choice', owner: 'person' },
  'edit and cut': { cause: 'persons_choice', owner: 'person' },
  'profile switch': { cause: 'persons_choice', owner: 'person' },
  'lost in silence': { cause: 'unknown', owner: null },
};

/** Of those, what nobody could know before the request was sent. */
export const unforeseeable: ReadonlySet<Injection> = new Set([
  'cut by engine',
  'reload untold',
  'lost in silence',
]);
