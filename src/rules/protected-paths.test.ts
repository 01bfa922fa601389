import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRepository, protectionOf, type Access, type PathFacts } from './protected-paths.ts';

const roots = {
  dataDirs: ['/home/ann/.local/share/andiron'],
  workspaces: ['/home/ann/.local/share/andiron/demo'],
  homeDirs: ['/srv/people/ann'],
};

const judged = (path: string, access: Access, more: Partial<PathFacts> = {}) =>
  protectionOf({ path, workspace: '/home/ann/project', ...more }, access, roots);
const inProject = (name: string, access: Access = 'write', more: Partial<PathFacts> = {}) =>
  judged(`/home/ann/project/${name}`, access, more)?.kind ?? null;

describe('files that programs run', () => {
  const programs: string[][] = [
    ['.vscode/tasks.json', '.envrc', '.editorconfig', '.github/workflows/ci.yml', '.husky/pre-commit'],
    ['package.json', 'sub/package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lockb'],
    ['Makefile', 'makefile', 'sub/GNUmakefile', 'Makefile.am', 'rules.mk', 'build.sh', 'a.bash', 'x.ps1'],
    ['CMakeLists.txt', 'cmake/Find.cmake', 'build.gradle', 'app/build.gradle.kts', 'settings.gradle'],
    ['setup.py', 'conftest.py', 'tests/conftest.py', 'pyproject.toml', 'requirements-dev.txt', 'tox.ini'],
    ['vite.config.ts', 'eslint.config.mjs', 'jest.config.cjs', 'tsconfig.json', 'tsconfig.build.json'],
    [
      'Dockerfile',
      'Dockerfile.dev',
      'docker-compose.override.yml',
      'compose.yaml',
      'Jenkinsfile',
      'Justfile',
    ],
    [
      'azure-pipelines.yml',
      'Gemfile',
      'Rakefile',
      'x.gemspec',
      'build.rs',
      'Cargo.toml',
      'go.mod',
      'pom.xml',
    ],
    ['App.csproj', 'Directory.Build.props', 'build.xml', 'flake.nix', 'BUILD.bazel', 'BUILD', 'x.bzl'],
    ['AGENTS.md', 'CLAUDE.md', 'docs/AGENTS.md', 'x.code-workspace', 'x.desktop', 'a.service', 'x.lnk'],
    ['HEAD', 'sub/HEAD', 'commondir', 'node_modules/a/index.js', 'venv/lib/a.py', 'githooks/pre-push'],
    ['conanfile.py', 'lakefile.lean', 'QWEN.md', 'AGENTS.override.md', 'docs/conf.py', 'gunicorn.conf.py'],
    [
      'hatch_build.py',
      'config.ru',
      'xmake.lua',
      'webpack.config.babel.js',
      'src/setupTests.js',
      'robofile.php',
    ],
    ['cypress/support/e2e.js', 'project/Build.scala', 'buildSrc/src/main/java/X.java', 'magefiles/x.go'],
    [
      'knexfile.js',
      'ember-cli-build.js',
      'brunch-config.js',
      'pdm_build.py',
      'user.clj',
      'init.lua',
      'git.js',
    ],
    ['bin/tool.js', 'jest.setup.ts', 'webpack.common.js', 'dev-requirements.txt', 'requirements/dev.txt'],
    ['spec/spec_helper.rb', 'config/puma.rb', 'globalSetup.ts', 'Package@swift-5.9.swift', 'lib.so-gdb.py'],
    ['conanfile.txt', 'serverless.ts', 'vercel.ts', 'extconf.rb', 'Game.Build.cs', 'a.prompt.md', 'build.py'],
    ['Game.app/Contents/Info.txt', 'x.pth', 'sitecustomize.py', 'lib.so', 'autorun.inf', 'crontab.service'],
  ];
  test.each(programs.flat())('%s asks before it is written, whatever was allowed (audit-S1)', (name) => {
    expect(inProject(name)).toBe('program');
    expect(inProject(name, 'read')).toBeNull();
  });

  const disguised: string[][] = [
    [
      'PACKAGE.JSON',
      'Package.Json',
      'package.json.',
      'package.json ',
      'package.json. .',
      'pack\u200bage.json',
    ],
    [
      'ｐackage.json',
      'package.json::$DATA',
      'MAKEFILE',
      'makeﬁle',
      'build.SH',
      'build.sh .',
      'ma\u200dkefile',
    ],
    ['\u200b.envrc', '．envrc', 'sub\\package.json', 'CMakeLists.TXT', 'conftest.py\u00ad', 'K.\u212aTS'],
  ];
  test.each(disguised.flat())(
    '%j is protected as what another file system takes it for (audit-S1)',
    (name) => {
      expect(inProject(name)).toBe('program');
    },
  );

  const ordinary: string[][] = [
    ['src/main.ts', 'README.md', 'notes/today.md', 'src/hooks/use-state.ts', 'main.py', 'lib/make.ts'],
    ['packages/a/src/index.js', 'my-package.json.md', 'src/config/colours.ts', 'src/makefile-parser.ts'],
    ['index.html', 'style.css', 'src/head.ts', 'profile.txt', 'x.test.ts', 'load-config.ts', 'src/setup.md'],
    ['App.tsx', 'IMG_1.JPG', 'README.md', 'CHANGELOG.md', 'README_DE.md', 'cmd/main.go', 'src/lib.rs'],
    ['Main.java', 'a.cpp', 'a.h', 'app/models/user.rb', 'query.sql', 'api.proto', 'icon.svg', 'app.vue'],
    ['release-notes.ts', 'jest-helpers.ts', 'agent-design.md', 'src/project/a.ts', 'src/editor/a.ts'],
    [
      'a.b/c.txt',
      'Кириллица.md',
      '日本語.txt',
      'e\u0301t\u00e9.txt',
      'a b/c d.txt',
      'photo.png',
      'table.csv',
    ],
  ];
  test.each(ordinary.flat())('%s is what a grant is for', (name) => expect(inProject(name)).toBeNull());

  test('names above the session’s folder are the person’s choice', () => {
    const facts = { path: '/home/ann/.notes/today.md', workspace: '/home/ann/.notes' };
    expect(protectionOf(facts, 'write', roots)).toBeNull();
    const ci = { path: '/p/.github/workflows/a.yml', workspace: '/p/.github/workflows' };
    expect(protectionOf(ci, 'write', roots)?.kind).toBe('program');
  });

  test('what no name tells is added by whoever looked: executable, linked, a repository', () => {
    expect(judged('/home/ann/project/run', 'write', { isExecutable: true })).toMatchObject({
      what: 'executable',
    });
    expect(judged('/home/ann/project/a.txt', 'write', { isLinked: true })).toMatchObject({ what: 'linked' });
    const inside = judged('/home/ann/project/bare/config', 'write', { repository: '/home/ann/project/bare' });
    expect(inside).toEqual({ kind: 'program', what: 'repository', name: 'bare' });
  });
});

test.each([
  [['HEAD', 'config', 'objects'], true],
  [['HEAD', 'config'], true],
  [['head', 'OBJECTS'], true],
  [['HEAD', 'commondir'], true],
  [['HEAD'], false],
  [['config', 'objects'], false],
])('%j is taken for a repository: %s', (names, is) => expect(isRepository(names)).toBe(is));

describe('files of no ordinary kind', () => {
  const unknown: string[][] = [
    ['data.json', 'a.yaml', 'b.yml', 'c.toml', 'd.ini', 'e.cfg', 'f.xml', 'g.properties', 'h.hcl', 'i.conf'],
    ['LICENSE', 'config', 'objects/a', 'Procfile2', 'a.b/c', 'x.', '.', 'a.ｔs', 'a.t\u200bs', 'a.ts~', 'md'],
    ['gradle/wrapper/gradle-wrapper.properties', 'lefthook-local.yml', 'lefthook.toml', 'hie.yaml'],
    ['rust-project.json', 'mise.toml', 'pylintrc', 'mypy.ini', 'opencode.json', '_vimrc', 'package.json5'],
    ['a.csproj.user', 'package.yaml', 'config.nims', 'x.nimble', 'rebar.config.script', 'config/config.exs'],
    ['cabal.project', 'main.tf', 'terragrunt.hcl', 'cdk.json', 'firebase.json', 'lib/tasks/x.rake', 'x.thor'],
    ['phpunit.xml', 'dub.json', 'Tupfile', 'Jamroot', 'Kbuild', 'env/bin/activate', 'crush.json', 'x.pif'],
    ['dev.Dockerfile', 'x.msc', 'x.xll', 'x.chm', 'x.jnlp', 'BSDmakefile', 'compose.override.yaml', 'x.el'],
    [
      'Session.vim',
      'x.ipynb',
      'x.mobileprovision',
      'a.md.exe',
      'NEWTOOL.md',
      'ORDERS.txt',
      'x.sublime-build',
    ],
  ];
  test.each(unknown.flat())('%j asks before it is written, whoever may read it (audit-S1)', (name) => {
    expect(inProject(name)).toBe('program');
    expect(inProject(name, 'read')).toBeNull();
  });

  const word = string({ minLength: 1, maxLength: 12 }).filter((text) => !/[/\\\0]/.test(text));
  // Short endings are languages; of the long ones these alone are known.
  const mayBeKnown =
    /^(?:[a-z+]{1,3}\d*|java|scala|clj[cs]|dart|odin|cairo|move|gleam|lean|agda|coffee|svelte|astro|graphql|proto|thrift|vert|frag|hlsl|wgsl|metal|vhdl|x?html|scss|sass|less|styl|haml|slim|heex|leex|handlebars|mustache|jinja2?|liquid|twig|markdown|text|asciidoc|adoc|textile|diff|patch|fountain|jsonl|ndjson|geojson|topojson|jpeg|webp|avif|heic|tiff|puml)$/i;
  const ending = word.filter((text) => !text.includes('.') && !mayBeKnown.test(text));
  test('asks under any name whose ending nobody has called ordinary (audit-S1)', () => {
    assert(
      property(word, ending, (stem, after) => {
        expect(inProject(`${stem}.${after}`)).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('asks without an ending, whatever the name (audit-S1)', () => {
    assert(
      property(ending, (name) => {
        expect(inProject(name)).not.toBeNull();
      }),
    );
  });

  test.each(['nvim/init.lua', 'git/config', 'direnv/direnvrc', 'tmux/tmux.conf', 'x/plugin.py', 'a/b.css'])(
    '%s asks where the session works among the settings of programs (audit-S1)',
    (name) => {
      for (const workspace of ['/home/ann/.config', '/home/ann/dotfiles', '/Users/ann/Library/Preferences'])
        expect(protectionOf({ path: `${workspace}/${name}`, workspace }, 'write', roots)?.kind).toBe(
          'program',
        );
    },
  );

  test('prose among the settings is ordinary, and so is code in a folder that Andiron has made for it', () => {
    const facts = { path: '/home/ann/.config/notes.md', workspace: '/home/ann/.config' };
    expect(protectionOf(facts, 'write', roots)).toBeNull();
    const own = {
      dataDirs: ['/a/Application Support/andiron'],
      workspaces: ['/a/Application Support/andiron/demo'],
      homeDirs: [],
    };
    const workspace = '/a/Application Support/andiron/demo';
    expect(protectionOf({ path: `${workspace}/a.ts`, workspace }, 'write', own)).toBeNull();
  });

  test('is told apart from what is known by its name', () => {
    expect(judged('/home/ann/project/data.json', 'write')).toMatchObject({ what: 'kind', name: 'data.json' });
    expect(judged('/home/ann/project/package.json', 'write')).toMatchObject({ what: 'name' });
  });
});

describe('private places', () => {
  const secret: string[][] = [
    ['/home/ann/.ssh/id_ed25519', '/home/ann/.ssh', '/home/ann/.SSH/config', '/home/ann/.s\u200csh/config'],
    [
      '/home/ann/.aws/credentials',
      '/home/ann/.gnupg/trustdb.gpg',
      '/home/ann/.netrc',
      '/home/ann/.kube/config',
    ],
    ['/home/ann/.docker/config.json', '/home/ann/.mozilla/firefox/x/key4.db', '/home/ann/.bashrc'],
    ['/home/ann/.config/google-chrome/Default/Cookies', '/home/ann/.zshenv', '/home/ann/.profile'],
    ['/home/ann/.config/autostart/x.desktop', '/home/ann/.config/systemd/user/x.service'],
    ['/Users/ann/Library/Keychains/login.keychain-db', '/Users/ann/Library/LaunchAgents/x.plist'],
    [
      'C:\\Users\\Ann\\.ssh\\id_rsa',
      'C:\\Users\\Ann\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Cookies',
    ],
    ['C:\\Users\\Ann\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.cmd'],
    ['/proc/self/environ', '/etc/cron.d/x', '/home/ann/project/.env', '/home/ann/project/.env.local'],
    ['/home/ann/backup/ann/.ssh/config', '/home/ann/project/server.pem', '/home/ann/.bash_history'],
  ];
  test.each(secret.flat())('%s asks each time, reading too (audit-S15)', (path) => {
    expect(judged(path, 'read')?.kind).toBe('private');
    expect(judged(path, 'write')?.kind).toBe('private');
  });

  const open: string[][] = [
    ['/home/ann/project/.env.example', '/opt/etc-notes/shadow', '/home/ann/project/.github/workflows/ci.yml'],
    ['/home/ann/ssh/config', '/home/ann/procedures/a.md', '/home/ann/proc/a.txt'],
    ['/home/ann/project/keys.ts', '/home/ann/project/monkey.txt', '/home/ann/project/history.md'],
  ];
  test.each(open.flat())('%s is read without a question', (path) => expect(judged(path, 'read')).toBeNull());
});

describe('hidden places beneath a home folder', () => {
  const inHome: string[][] = [
    ['.cache/huggingface/token', '.yarnrc.yml', '.composer/auth.json', '.authinfo', '.databrickscfg'],
    ['.gitconfig', '.config/keepassxc/keepassxc.ini', '.config/Code/User/globalStorage/state.vscdb'],
    ['.local/share/TelegramDesktop/tdata', '.claude.json', '.a-tool-that-nobody-knows/token', '.sshx/a'],
  ];
  test.each(inHome.flat())('%s asks each time, reading too (audit-S15)', (name) => {
    for (const home of [
      '/home/ann',
      '/home/bob',
      '/root',
      '/var/home/ann',
      '/srv/people/ann',
      '/Users/ann',
      'C:\\Users\\ann',
    ])
      for (const workspace of [home, '/', `${home}/project`])
        for (const access of ['read', 'write'] as const)
          expect(protectionOf({ path: `${home}/${name}`, workspace }, access, roots)?.kind).toBe('private');
  });

  test('are open to a session that works in them, and in none of the others', () => {
    const workspace = '/home/ann/.dotfiles';
    const read = (path: string) => protectionOf({ path, workspace }, 'read', roots)?.kind ?? null;
    expect(read('/home/ann/.dotfiles/vim/vimrc')).toBeNull();
    expect(read('/home/ann/.dotfiles/.hidden/a')).toBeNull();
    expect(read('/home/ann/.cache/a')).toBe('private');
    expect(read('/home/bob/.dotfiles/a')).toBe('private');
  });

  test('are told from hidden files of a project, which are read without a question', () => {
    for (const path of ['/home/ann/project/.eslintrc', '/work/.cache/a', '/home/ann/notes/.a', '/.a'])
      expect(judged(path, 'read')).toBeNull();
  });
});

test.each([
  ['/etc/shadow', '/etc/gshadow-', '/etc/ssh/ssh_host_ed25519_key', '/private/etc/master.passwd'],
  [
    '/etc/NetworkManager/system-connections/home.nmconnection',
    '/etc/ssl/private/a',
    '/etc/wireguard/wg0.conf',
  ],
  [
    'C:\\Windows\\System32\\config\\SAM',
    '/mnt/disk/etc/shadow',
    '/var/lib/private/a',
    '/etc/letsencrypt/live/a',
  ],
])('keys of the system ask each time, reading too: %s, %s, %s (audit-S15)', (...paths) => {
  for (const path of paths)
    expect(protectionOf({ path, workspace: '/' }, 'read', roots)).toMatchObject({
      kind: 'private',
      what: 'keys',
    });
});

describe('closed places', () => {
  test.each([
    ['/home/ann/.local/share/andiron/hosts.json', 'data'],
    ['/home/ann/.local/share/andiron', 'data'],
    ['/home/ann/.local/share/Andiron/profiles/x/profile.json', 'data'],
    ['/home/ann/project/.git/config', 'git'],
    ['/home/ann/project/.git/hooks/pre-commit', 'git'],
    ['/home/ann/project/.GIT/config', 'git'],
    ['/home/ann/project/.g\u200cit/config', 'git'],
    ['/home/ann/project/git~1/config', 'git'],
    ['/home/ann/project/.git', 'git'],
    ['/home/ann/project/.git./config', 'git'],
  ] as const)('%s is refused to every tool, reading too (audit-S15)', (path, what) => {
    expect(judged(path, 'read')).toEqual({ kind: 'closed', what });
    expect(judged(path, 'write')).toEqual({ kind: 'closed', what });
  });

  test('the folders in it that sessions work in are open', () => {
    expect(judged('/home/ann/.local/share/andiron/demo/src/a.ts', 'read')).toBeNull();
    const notes = { path: '/home/ann/.local/share/andiron-notes/a.md', workspace: '/home/ann/.local' };
    expect(protectionOf(notes, 'read', roots)).toBeNull();
  });
});
