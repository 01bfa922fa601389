/** Bindings in the settings: several places with one open, a persona being written, and before there is any. */
import type { ListedBinding, ListedPersona } from '../../protocol/inbox-methods.ts';
import { settings, type Scene } from './scene.tsx';
import { bindingsPane } from '../text.ts';

const binding = (id: string, more: Partial<ListedBinding>): ListedBinding => ({
  id,
  platform: 'telegram',
  server: '',
  profileId: 'reader',
  personaId: null,
  model: null,
  maxOutputTokens: null,
  modules: null,
  hasBadModules: false,
  isPerPerson: false,
  pauseMs: null,
  ...more,
});
const personas: ListedPersona[] = [
  {
    id: 'persona_1',
    name: 'Ada',
    text: 'You are Ada, who runs the kitchen of a small house and answers in one sentence.',
  },
  {
    id: 'persona_2',
    name: 'The librarian of a very large library with a very long name',
    text: 'You know where everything is. '.repeat(12).trim(),
  },
];
const bindings: ListedBinding[] = [
  binding('bind_1', {
    server: 'Kitchen',
    profileId: 'developer',
    personaId: 'persona_1',
    model: 'qwen3.5:9b',
    maxOutputTokens: 400,
    modules: ['files', 'work', 'memory'],
  }),
  binding('bind_2', { profileId: 'reader', isPerPerson: true, pauseMs: 1_800_000 }),
  binding('bind_3', { platform: 'webhook', server: 'ci', profileId: 'developer', model: 'gone:70b' }),
  binding('bind_4', { platform: 'matrix', profileId: 'removed-profile', hasBadModules: true }),
];

const pane = (id: string, known: ListedBinding[], press?: () => string): Scene =>
  settings(
    id,
    'bindings',
    () => ({
      hostAnswers: {
        'binding/list': () => ({ bindings: known }),
        'persona/list': () => ({ personas: known.length === 0 ? [] : personas }),
        'binding/test': () => ({ binding: known[1] ?? null, profileId: known[1]?.profileId ?? 'developer' }),
      },
    }),
    press ? { press } : {},
  );

export const bindingScenes: Scene[] = [
  pane('bindings', bindings),
  pane('bindings-open', bindings, () => {
    const { show, place } = bindingsPane;
    return `[aria-label="${show(place(bindings[0]?.platform ?? '', 'Kitchen'))}"]`;
  }),
  pane('bindings-persona', bindings, () => {
    const name = personas[0]?.name ?? '';
    return `[aria-label="${bindingsPane.editLabel(name)}"]`;
  }),
  pane('bindings-none', []),
];
