/** The profiles of the settings at the moments that matter: each page, what is typed and not saved, what has changed. */
import type { ProfileChanges, ProfileFiles, Risk } from '../../protocol/model.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import { TitleBar } from '../app/title-bar.tsx';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { Settings } from '../features/settings/settings.tsx';
import type { HostStoreState } from '../stores/host-store.ts';
import { developer, profiles, problems } from './fixtures.ts';
import type { UiState } from '../stores/ui-store.ts';
import type { Scene } from './scene.tsx';
import { stoppedSession } from './session-fixtures.ts';
import { createWorld, type WorldOptions } from './world.ts';
import { Pressing } from './acting.tsx';
import styles from '../features/settings/profiles.module.css';
import frame from '../app/frame.module.css';

const tool = (name: string, tokens: number, risk: Risk = 'read'): ToolFacts => ({
  name,
  description: `What the model reads about ${name}.`,
  risk,
  about: 'workspace',
  tokens,
});

export const tools: ToolFacts[] = [
  tool('read_file', 96),
  tool('write_file', 88, 'write'),
  tool('edit_file', 112, 'write'),
  tool('list_files', 70),
  tool('glob', 62),
  tool('search', 104),
  tool('run_command', 98, 'execute'),
  tool('todo', 92),
  tool('scratchpad', 66),
  tool('spawn_agent', 118),
  tool('switch_profile', 54),
  tool('list_profiles', 36),
  tool('memory_save', 58),
  tool('memory_search', 62),
  tool('jira_search', 143, 'network'),
];

const persona =
  'You are Andiron, an agent that works in one folder on the user’s computer.\n\nDo what the newest message asks. Use a tool whenever a fact is missing; never guess what a file says or a command prints.';

const json = `{
  "name": "Writer",
  "description": "Documents, guides, release notes",
  "tools": ["read_file", "write_file", "edit_file", "list_files", "glob", "search", "run_command"],
  "approvals": "ask",
  "maxIterations": 8,
  "think": false,
  "sampling": { "temperature": 0.9 },
  "planningEnabled": true,
  "goalAnchoringInterval": 3,
  "subagentTools": ["read_file", "list_files", "glob", "search"],
  "compactAt": 0.6,
  "calls": "constrained"
}`;

const filesOf = (id: string): ProfileFiles => ({
  folder: `/home/ada/.config/andiron/profiles/${id}`,
  replaces: id === 'writer' ? developer : null,
  json,
  commonPersona: persona,
});

type Options = Omit<WorldOptions, 'now'> & { host?: Partial<HostStoreState> };

function pane(id: string, press: string[], options: (now: number) => Options = () => ({})): Scene {
  return {
    id: `profile-${id}`,
    world(now) {
      const { host, ...world } = { session: stoppedSession(now), ...options(now) };
      const app = createWorld({ now, ...world, ui: { view: 'settings', ...world.ui } });
      app.commands.ask.tools = async () => tools;
      app.commands.ask.profileFiles = async (profileId) => filesOf(profileId);
      app.services.stores.host.setState({ ...host });
      return app;
    },
    view: () => (
      <div className={frame.window}>
        <TitleBar desktop={null} />
        <div className={frame.over}>
          <Settings />
          {press.map((selector) => (
            <Pressing key={selector} selector={selector} />
          ))}
        </div>
        <EngineBar />
      </div>
    ),
  };
}

const draft = (id: string, prompt: string, base: string, text: string): Partial<UiState> => ({
  drafts: { [`profile:${id}:${prompt}`]: JSON.stringify([base, text]) },
});

/** A flag that waits: what is wanted, and what the file said when it was changed. */
const waiting = (id: string, changes: ProfileChanges, from: ProfileChanges): Partial<UiState> => ({
  drafts: { [`profile:${id}:flags`]: JSON.stringify([changes, from]) },
});

const edited = `${developer.systemPrompt}\n- Say what you did not check.\n`;
const long = Array.from(
  { length: 60 },
  (_, line) => `${line + 1}. ${'Say what the code really does. '.repeat(6)}`,
);

const stretched = [
  developer,
  ...profiles.slice(1).map((profile, index) => ({
    ...profile,
    name: index === 0 ? 'Ein Profil für Dokumentationsaufgaben mit sehr langem Namen' : 'كاتب الوثائق',
    description: index === 0 ? 'x'.repeat(200) : 'يكتب الأدلة وملاحظات الإصدار',
    models: ['registry.example.com/a-very-long-owner/a-model-with-a-name-that-is-long:27b-instruct-q4_K_M'],
    tools: [...developer.tools, 'jira_search'],
  })),
];

const changedOnly = ':has(#profile-writer-tab[aria-selected=true]) [role=tabpanel] [role=tablist] + button';
const personaChoice = '[role=radiogroup] > label:nth-child(3) > input';
const newProfile = `.${styles.plistHead} > button`;

export const profileScenes: Scene[] = [
  pane('tools', ['#profile-page-tools-tab']),
  pane('model', ['#profile-page-model-tab']),
  pane('limits', ['#profile-page-limits-tab']),
  pane('advanced', ['#profile-page-advanced-tab']),
  pane('changed', ['#profile-writer-tab', '#profile-page-advanced-tab']),
  pane('changed-only', ['#profile-writer-tab', changedOnly]),
  pane('waiting', ['#profile-page-model-tab'], () => ({
    ui: waiting('developer', { contextTokens: 65_536 }, { contextTokens: 32_768 }),
  })),
  pane('moved', ['#profile-page-limits-tab'], () => ({
    ui: waiting('developer', { maxIterations: 12 }, { maxIterations: 40 }),
  })),
  pane('problem', ['#profile-server-admin-tab'], () => ({ problems })),
  pane('prompts', []),
  pane('prompts-unsaved', [], () => ({
    ui: draft('developer', 'system', developer.systemPrompt, edited),
  })),
  pane('prompts-conflict', [], () => ({
    ui: draft('developer', 'system', 'You write software.', edited),
  })),
  pane('prompts-empty', ['#profile-writer-tab'], () => ({
    ui: draft('writer', 'system', profiles[2]?.systemPrompt ?? '', ''),
  })),
  pane('prompts-long', ['#profile-reader-tab'], () => ({
    host: { profiles: profiles.map((profile) => ({ ...profile, systemPrompt: long.join('\n') })) },
  })),
  pane('persona', [personaChoice]),
  pane('file', ['#profile-writer-tab', '#profile-page-file-tab']),
  pane('create', [newProfile]),
  pane('long', ['#profile-reader-tab', '#profile-page-model-tab'], () => ({ host: { profiles: stretched } })),
  pane('none', [], () => ({ host: { profiles: [] } })),
];
