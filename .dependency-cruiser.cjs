/**
 * Who may import whom (the table in docs/architecture.md). Every room may import itself; whatever is not named is an error.
 * scripts/check-rooms.mjs runs this and fails when fewer modules were cruised than exist.
 */

const room = (...names) => names.map((name) => `^src/${name}`);
const npm = (...names) => names.map((name) => `^node_modules/(@types/)?${name}/`);
const views = npm(
  'react',
  'react-dom',
  '@base-ui/react',
  '@tanstack/react-virtual',
  'shiki',
  '@shikijs/[^/]+',
  'marked',
  'temml',
  'beautiful-mermaid',
);

const contracts = ['host/providers/provider\\.ts$', 'host/tools/(tool|advice)\\.ts$'];
const basics = ['protocol/', 'rules/', 'platform/'];

/** from → what it may import besides itself; `node` stands for Node's own modules. */
const table = {
  'protocol/': [...npm('zod')],
  'rules/': [...room('protocol/'), ...npm('croner')],
  'platform/': [
    'node',
    ...npm('better-sqlite3', 'zod', '@anthropic-ai/sandbox-runtime', '@peculiar/x509', 'reflect-metadata'),
  ],
  'ollama/': ['node', ...room('protocol/', 'platform/'), ...npm('ollama', 'zod')],
  'text/': [],
  'host/loop/': [...room('host/prompt/', 'host/planning/', ...contracts, ...basics), ...npm('zod')],
  'host/planning/': [...room('host/loop/', 'host/prompt/', ...contracts, ...basics), ...npm('zod')],
  'host/prompt/': [...room('host/loop/', 'host/planning/', ...contracts, ...basics), ...npm('zod')],
  'host/providers/': [
    'node',
    ...room('ollama/', 'host/loop/deps\\.ts$', 'host/tools/tool\\.ts$', ...basics),
    ...npm('zod'),
  ],
  'host/tools/': [
    'node',
    ...room('host/prompt/token-estimate\\.ts$', ...basics),
    ...npm('zod', 'diff', '@vscode/ripgrep'),
  ],
  'host/store/': ['node', ...room(...basics), ...npm('better-sqlite3', 'zod')],
  'host/memory/': ['node', ...room('host/store/', ...basics), ...npm('zod')],
  'host/people/': [...room('host/store/', ...basics), ...npm('zod')],
  'host/inbox/': room('host/(sessions|store|people)/', ...basics),
  'host/schedule/': room(
    'host/(sessions|store|people|inbox)/',
    'host/tools/schedule-access\\.ts$',
    ...basics,
  ),
  // Of the tools it fills what the bridge wants, and keeps a server in as a command is kept in. What servers give beside
  // words is kept as an attached file.
  'host/mcp/': [
    'node',
    ...room(
      'host/store/',
      'host/attachments/(attachments|match-paths|picture-size|sniff)\\.ts$',
      'host/tools/(tool|mcp-access|command-environment|sandbox-words|time-limit)\\.ts$',
      ...basics,
    ),
    ...npm('zod', '@modelcontextprotocol/client'),
  ],
  // Its tools say what they want of it; the guard knows this computer as the sandbox's way out does.
  'host/web/': [
    'node',
    ...room('host/store/', 'host/tools/(tool|advice|web-access)\\.ts$', ...basics),
    ...npm('zod', 'ipaddr.js', 'linkedom', 'defuddle'),
  ],
  // Its entries are processes of their own, which are given bytes of strangers.
  'host/documents/': [
    'node',
    ...room('host/web/html-text\\.ts$', 'host/tools/(tool|document-access)\\.ts$', ...basics),
    ...npm('zod', 'fflate', 'mammoth', 'marked', 'read-excel-file', 'unpdf'),
  ],
  // It reads a file as the tools and the web do, and asks the index of passages.
  'host/collections/': [
    'node',
    ...room(
      'host/store/',
      'host/tools/(tool|document-access)\\.ts$',
      'host/web/decode-text\\.ts$',
      ...basics,
    ),
  ],
  // What a model reads of a skill is written with the rest of its prompt.
  'host/skills/': [
    'node',
    ...room('host/store/', 'host/prompt/skill-text\\.ts$', 'host/tools/(tool|skill-access)\\.ts$', ...basics),
    ...npm('yaml'),
  ],
  'host/ways/': ['node', ...room('host/store/', ...basics), ...npm('zod')],
  'host/profiles/': ['node', ...room('host/store/', ...basics), ...npm('zod')],
  'host/attachments/': ['node', ...room('host/store/', ...basics), ...npm('zod')],
  'host/file-changes/': [
    'node',
    ...room('host/(store|tools)/', 'host/attachments/(picture-size|sniff)\\.ts$', ...basics),
    ...npm('zod'),
  ],
  'host/engine-client/': ['node', ...room('host/store/', 'host/loop/deps\\.ts$', ...basics), ...npm('zod')],
  'host/(subagents|sessions)/': [
    ...room(
      'host/(loop|planning|prompt|store|memory|profiles|engine-client|subagents|sessions|attachments)/',
      'host/(models|warm|approvals|skills)/',
      ...contracts,
      'host/(tools|providers)/(registry|router|visible-text)\\.ts$',
      ...basics,
    ),
    ...npm('zod'),
  ],
  'host/models/': [
    ...room('ollama/', 'host/(loop|planning|prompt|store|subagents|engine-client)/', ...basics),
    ...room(...contracts),
    ...npm('zod'),
  ],
  'host/warm/': [
    ...room(
      'ollama/',
      'host/(loop|prompt|models|store|engine-client)/',
      'host/providers/(silence|wire)\\.ts$',
      ...contracts,
      ...basics,
    ),
    ...npm('zod'),
  ],
  // It tells texts apart by the marks that the prompt sets.
  'host/approvals/': [
    ...room(
      'host/(loop|store)/',
      'host/prompt/(attached|compaction|notes|skill-text)\\.ts$',
      ...contracts,
      ...basics,
    ),
    ...npm('zod'),
  ],
  'host/rpc/': [
    ...room(
      'host/(sessions|profiles|memory|people|inbox|ways|mcp|skills|schedule|engine-client|models|attachments|file-changes)/',
      ...basics,
    ),
    ...npm('zod'),
  ],
  'host/[^/]+$': ['node', ...room('host/', 'ollama/', ...basics), ...npm('zod', '@vscode/ripgrep')],
  'engine/': ['node', ...room('ollama/', ...basics), ...npm('systeminformation', 'zod')],
  'sim/': ['node', ...room('protocol/'), ...npm('zod')],
  'server/': ['node', ...room('engine/', 'text/', ...basics), ...npm('ws', 'zod')],
  // It knows the host by the protocol alone.
  'cli/': ['node', ...room('acp/serve-acp\\.ts$', ...basics)],
  // Whatever it asks of the host, it asks with the rights of a token.
  'gateway/': [
    'node',
    ...room('cli/(follow-turn|host-rpc)\\.ts$', 'server/rate-limit\\.ts$', ...basics),
    ...npm('ws', 'zod'),
  ],
  // Its connection has methods for bridges alone.
  'bridges/': ['node', ...room('server/rate-limit\\.ts$', ...basics), ...npm('grammy', 'marked', 'zod')],
  'acp/': [
    'node',
    ...room('cli/(follow-turn|host-rpc|send-files)\\.ts$', ...basics),
    ...npm('@agentclientprotocol/sdk'),
  ],
  'main/': [
    'node',
    // The commands of an installed Andiron run in its main process.
    ...room('engine/', 'text/', 'cli/(command-arguments|exit-codes|open-host|run-cli)\\.ts$', ...basics),
    ...npm('electron', 'electron-updater', 'zod'),
  ],
  'preload/': [...room('protocol/desktop\\.ts$'), ...npm('electron')],
  'renderer/components/': [
    ...room(
      'protocol/(model|foreign-text|form-question)\\.ts$',
      'rules/',
      'text/',
      'renderer/(text|formats)\\.ts$',
    ),
    ...views,
  ],
  'renderer/(stores|connection)/': [
    ...room('renderer/(stores|connection)/', 'protocol/', 'rules/', 'text/languages\\.ts$'),
    ...npm('zustand', 'react'),
  ],
  'renderer/commands/': [
    ...room('renderer/(connection|stores)/', 'protocol/', 'rules/', 'text/', 'renderer/(text|formats)\\.ts$'),
    ...npm('react'),
  ],
  'renderer/(app|gallery)/': [
    ...room('renderer/', 'protocol/', 'rules/', 'text/'),
    ...views,
    ...npm('zustand'),
  ],
  'renderer/[^/]+$': [...room('renderer/', 'protocol/', 'rules/', 'text/'), ...views],
};

const isTest = '\\.test\\.tsx?$|^src/[^/]+/testing/';

const tableRules = Object.entries(table).map(([from, allowed]) => {
  const paths = allowed.filter((entry) => entry !== 'node');
  const itself = `^src/${from}`;
  return {
    name: `imports-of-${from}`,
    comment: 'The import table; docs/architecture.md has it shortened.',
    severity: 'error',
    from: { path: itself, pathNot: isTest },
    to: {
      pathNot: [itself, ...paths],
      ...(allowed.includes('node') && { dependencyTypesNot: ['core'] }),
    },
  };
});

module.exports = {
  forbidden: [
    ...tableRules,
    {
      name: 'features-stay-apart',
      comment: 'A feature never imports another feature.',
      severity: 'error',
      from: { path: '^src/renderer/features/([^/]+)/', pathNot: isTest },
      to: {
        pathNot: [
          '^src/renderer/features/$1/',
          ...room(
            'renderer/(components|stores|commands)/',
            'protocol/',
            'rules/',
            'text/',
            'renderer/(text|formats)\\.ts$',
          ),
          ...views,
          ...npm('zustand'),
        ],
      },
    },
    {
      name: 'no-cycles',
      comment: 'Type-only ones included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'electron-only-in-main-and-preload',
      severity: 'error',
      from: { pathNot: '^src/(main|preload)/|^test/' },
      to: { path: '^(node_modules/)?electron(/|$)' },
    },
    {
      name: 'better-sqlite3-only-in-the-store',
      comment:
        'And in the lock of the data folder: SQLite has the one lock that the system holds on all three.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/host/store/|^src/platform/data-lock\\.ts$' },
      to: { path: 'better-sqlite3' },
    },
    {
      name: 'every-request-is-counted',
      comment:
        'Whoever asks a model is given a metered provider; prompts that are read ahead are counted where they go out.',
      severity: 'error',
      from: { path: '^src/host/', pathNot: `^src/host/providers/|^src/host/warm/warm-wire\\.ts$|${isTest}` },
      to: { path: '^src/host/providers/(ollama|openai|router|hosts)\\.ts$|^src/ollama/(raw|chat)\\.ts$' },
    },
    {
      name: 'sandbox-runtime-only-in-the-sandbox',
      comment: 'It keeps state of its own for a whole process, so it is in a thread of its own.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/sandbox/srt-worker\\.ts$' },
      to: { path: '@anthropic-ai/sandbox-runtime' },
    },
    {
      name: 'no-zod-in-the-renderer',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: '^node_modules/zod/' },
    },
    {
      name: 'src-never-imports-test',
      comment: 'Test files beside the code may use the helpers.',
      severity: 'error',
      from: { path: '^src/', pathNot: isTest },
      to: { path: `^test/|${isTest}` },
    },
    {
      name: 'the-window-names-no-language',
      comment: 'renderer/text.ts chooses it.',
      severity: 'error',
      from: { path: '^src/renderer/', pathNot: isTest },
      to: { path: '^src/text/[a-z]+/' },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\.css$|^virtual:' },
    },
    {
      name: 'every-room-is-in-the-table',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [isTest, '^src/renderer/features/', ...Object.keys(table).map((from) => `^src/${from}`)],
      },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/artifacts/' },
    resolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
