/**
 * Files that programs run, or take orders from, although nobody names them: a shell that enters the folder, an editor
 * that opens it, git, a package manager, a build, a test run, a CI server, the desktop, another agent.
 *
 * No list of them can be complete, so what is safe does not rest on one: whatever is not of an ordinary ending
 * (`ordinary-files.ts`) is taken for such a file. The names here are needed where the ending is ordinary and the program
 * goes by the name or the place (`conftest.py`, `AGENTS.md`, `bin/`); of the others they let the card say for certain
 * what it could only suppose. A source file that other code imports is ordinary, and so is one that runs when a person
 * starts it by name: what it contains is what the person asked the agent to write.
 *
 * Out of reach are ordinary files that another file names (a script that package.json starts): the naming file is in the
 * class, and asks.
 */
import { isOrdinary } from './ordinary-files.ts';
import { foldName } from './path-names.ts';

/** Whole names, folded, in any folder. */
const names = listed([
  // Package managers: scripts, and what is fetched and run.
  'package.json, npm-shrinkwrap.json, bower.json, lerna.json, nx.json, turbo.json, rush.json',
  'project.json, workspace.json, angular.json, deno.json, deno.jsonc, jsr.json, bunfig.toml',
  'pnpm-workspace.yaml, pnpmfile.cjs, composer.json, pyproject.toml, setup.py, setup.cfg',
  'requirements.txt, constraints.txt, environment.yml, environment.yaml, pixi.toml, cargo.toml',
  'build.rs, rust-toolchain, rust-toolchain.toml, go.mod, go.work, package.swift, mix.exs',
  'rebar.config, project.clj, deps.edn, shard.yml, pubspec.yaml, stack.yaml, setup.hs',
  // Builds.
  'makefile, gnumakefile, cmakelists.txt, cmakepresets.json, cmakeuserpresets.json, configure',
  'configure.ac, configure.in, meson.build, meson_options.txt, build, build.bazel, workspace',
  'workspace.bazel, module.bazel, buck, sconstruct, sconscript, wscript, build.xml, pom.xml',
  'gradle.properties, gradlew, mvnw, build.sbt, build.sc, build.zig, build.zig.zon, build.ninja',
  'dune, dune-project, dune-workspace, gulpfile, gruntfile, vagrantfile, taskfile',
  'noxfile.py, fabfile.py, dodo.py, tasks.py, build.boot, build.py, build.pl, build.r, build.jl',
  'conanfile.py, conanfile.txt, hatch_build.py, pdm_build.py, pavement.py, waf.py, versioneer.py',
  'extconf.rb, mkmf.rb, config.ru, config.rb, deploy.rb, setup.lhs, shakefile.hs, build.hs, setup.ml',
  'myocamlbuild.ml, configure.ml, lakefile.lean, xmake.lua, premake4.lua, premake5.lua, project.swift',
  'plugin.swift, build.clj, user.clj, profiles.clj, data_readers.clj, make.jl, startup.jl, build.dart',
  'link.dart, robofile.php, castor.php, rector.php, ecs.php, deploy.php, bootstrap.php, autoload.php',
  'wp-config.php, startup.m, finish.m, pathdef.m, _targets.r, activate.r, nakefile.nim, packages.txt',
  'apt.txt, runtime.txt, spec-file.txt, compile_flags.txt, cmakecache.txt, binding.gyp, tupfile, kbuild',
  'jamroot, jamfile, bsdmakefile, mise.toml, devbox.json, docker-bake.hcl, nuget.config, ansible.cfg',
  // Test runs and interpreters load these unasked.
  'conftest.py, pytest.ini, tox.ini, sitecustomize.py, usercustomize.py, pyvenv.cfg, activate_this.py',
  'conf.py, ipython_config.py, celeryconfig.py, spec_helper.rb, rails_helper.rb, test_helper.rb',
  'init.lua, rc.lua, conf.lua, wezterm.lua, xmonad.hs, settings.lua, runtests.jl',
  'serverless.js, serverless.ts, vercel.ts, knexfile.js, knexfile.ts, typedoc.js, knip.js, knip.ts',
  'lighthouserc.js, lighthouserc.cjs, wallaby.js, ember-cli-build.js, gatsby-node.js, gatsby-node.ts',
  'gatsby-node.mjs, gatsby-browser.js, gatsby-browser.tsx, gatsby-ssr.js, gatsby-ssr.tsx, alloy.js',
  'gridsome.server.js, nano-staged.js, nano-staged.cjs, nano-staged.mjs, eslint-options.js',
  'lefthook.yml, lefthook.yaml, pre-commit-config.yaml, gemfile.lock, rakefile.rb',
  // CI, containers and what starts them.
  'azure-pipelines.yml, azure-pipelines.yaml, bitbucket-pipelines.yml, appveyor.yml, wercker.yml',
  'cloudbuild.yaml, cloudbuild.yml, buildspec.yml, buildspec.yaml, codefresh.yml, action.yml',
  'action.yaml, compose.yml, compose.yaml, skaffold.yaml, devfile.yaml, devcontainer.json',
  'netlify.toml, vercel.json, fly.toml, render.yaml, app.yaml, heroku.yml, wrangler.toml',
  // Git looks for these; a folder with them is a repository, whose settings name programs.
  'head, commondir, gitdir, packed-refs, fetch_head, orig_head',
  // Editors, the desktop and other agents.
  'launch.json, tasks.json, desktop.ini, autorun.inf, folder.htt, crontab, anacrontab',
  'agents.md, agent.md, claude.md, gemini.md, qwen.md, crush.md, codex.md, opencode.md, warp.md, kimi.md',
  'cursor.md, cline.md, windsurf.md, copilot.md, jules.md, grok.md, replit.md, andiron.md, skill.md',
  'memory.md, soul.md, identity.md, heartbeat.md, conventions.md, instruction.md, instructions.md',
  'mcp.json, claude_desktop_config.json, andiron.json',
]);

/** `Makefile`, `Makefile.am`, `Dockerfile.dev`, `Jenkinsfile`, and whatever else is named like them. */
const stems =
  /^(?:gnu)?(?:make|rake|gem|docker|container|proc|brew|jenkins|vagrant|tilt|just|earth|pod|fast|app|match|deliver|gym|snap|cap|guard|danger|thor|berks|task|snake|pip|cart|puppet|cake|grunt|gulp|jake|steep|mint|plugin|bake|mage|nox|fab)file(?:\..+)?$/;

const script = String.raw`\.(?:[cm]?[jt]sx?|py|rb|php|lua|coffee)$`;
/** The tool finds these by their first word, and an editor's extension for it does too. */
const tools =
  'webpack|rspack|esbuild|rollup|vite|vitest|babel|eslint|stylelint|prettier|postcss|tailwind|jest|karma|mocha|ava|wdio|' +
  'nightwatch|protractor|cypress|playwright|puppeteer|metro|craco|svgr|svgo|commitlint|syncpack';

const patterns: readonly RegExp[] = [
  stems,
  /^docker-compose.*\.ya?ml$/,
  /^taskfile.*\.ya?ml$/,
  /(?:requirements|constraints).*\.(?:txt|in)$/,
  /^(?:ts|js)config.*\.json$/,
  /^(?:gulp|grunt|jake|plop|webpack|knex|locust|fab|nox|pnp|pnpm)file\./,
  new RegExp(`^(?:${tools})(?:\\.[^/]*)?${script}`),
  // `vite.config.ts`, `webpack.config.babel.js`, `gunicorn.conf.py`, `jest.setup.js`.
  new RegExp(String.raw`\.(?:config|conf|setup|teardown|preset|workspace)(?:\.[^/]+)?${script}`),
  /^(?:auto|babel|brunch|ember|gatsby|karma|rollup|stencil|truffle|webpack)-config\.[cm]?[jt]s$/,
  /^(?:jupyter|ipython)\w*_config\.py$/,
  /^(?:(?:global|test|tests|jest|vitest|mocha)[-_]?)?(?:setup|teardown)(?:[-_]?(?:tests?|files|env|jest|vitest))?\.[cm]?[jt]sx?$/,
  // A debugger loads what is named like the library it opens; game engines run these to build.
  /-(?:gdb|lldb)\.py$/,
  /\.(?:build|target)\.cs$/,
  /^package@swift-.*\.swift$/,
  // Where Windows runs a script for the command of its name.
  /^(?:git|npm|npx|node|yarn|pnpm|bun|deno|python3?|pip|py|cargo|go|make|docker|code|ssh|curl|rg|where|cmd)\.js$/,
  // `AGENTS.override.md`, `review.instructions.md`: orders to an agent.
  /^(?:agents?|claude|gemini|qwen|codex|crush|copilot|cursor)\..*\.(?:md|mdx|txt)$/,
  /\.(?:instructions?|prompt|chatmode|agent|skill|rules)\.(?:md|mdx|txt)$/,
  // Locks say what is fetched and run.
  /(?:\.|-)lock(?:b|\.(?:json|ya?ml))?$/,
  /^directory\.(?:build|packages)\./,
];

/** Agents take orders from files in capitals (`WARP.md`). These are for people. */
const orders = /^[A-Z][A-Z0-9_-]+\.(?:md|mdx|txt)$/;
const forPeople =
  /^(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CREDITS|CONTRIBUTORS|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|GOVERNANCE|MAINTAINERS|ROADMAP|TODO|NOTES|PLAN|DESIGN|ARCHITECTURE|INSTALL|UPGRADING|MIGRATION|FAQ|USAGE|DEVELOPMENT|TESTING|THANKS|SUMMARY|INDEX|PRIVACY|TERMS|API|SPEC|OVERVIEW|REPORT|GLOSSARY)(?:[-_][A-Z0-9]+)*\./;

/** Endings, folded, without the dot. */
const endings = listed([
  'sh, bash, zsh, fish, csh, ksh, nu, bats, command, tool, bat, cmd, btm',
  'ps1, psm1, psd1, ps1xml, vbs, vbe, wsf, wsh, hta, jse, reg, inf, scr, cpl',
  'exe, com, dll, sys, msi, msix, so, dylib, node, pyd, pth, jar, appimage, run',
  'wasm, o, a, class, pyc, app, workflow, scpt, applescript, plist, mobileconfig',
  'desktop, service, timer, socket, target, mount, path, rules, lnk, url, webloc, scf',
  'mk, mak, cmake, gradle, kts, sbt, bzl, bazel, nix, gemspec, podspec, rockspec',
  'csproj, fsproj, vbproj, vcxproj, proj, props, targets, sln, slnx, pro, pri, cabal',
  'code-workspace, sublime-project, xcconfig, pbxproj, xcscheme, iml, ninja, opam',
]);

/** Folders whose contents such programs run or read, by their own name, wherever they lie. */
const folders = listed([
  '.git, .github, .gitlab, .gitea, .forgejo, .circleci, .buildkite, .woodpecker, .husky',
  '.vscode, .vscode-server, .idea, .fleet, .zed, .cursor, .devcontainer, .githooks, .ci',
  'githooks, git-hooks, buildkite, node_modules, site-packages, .venv, venv, __pycache__',
  'bin, sbin, libexec, buildsrc, magefiles, tuist, __mocks__',
  'action_plugins, callback_plugins, connection_plugins, filter_plugins, inventory_plugins',
  'lookup_plugins, module_utils, strategy_plugins, test_plugins, vars_plugins',
]);

/** The same for files of one kind, or in one run of folders; folded paths. */
const places: readonly RegExp[] = [
  /\/project\/[^/]+\.scala$/,
  /\/cypress\/(?:support|plugins)\//,
  /\/config\/(?:.*\/)?[^/]+\.rb$/,
  /\/(?:formula|casks)\/(?:.*\/)?[^/]+\.rb$/,
  /\/editor\/(?:.*\/)?[^/]+\.cs$/,
  /\/requirements\/[^/]+\.txt$/,
  /\/deps\/build\.jl$/,
];

/** Folders where programs keep their settings, and people what becomes such. */
const settings =
  /\/(?:\.config|\.?dotfiles|\.emacs\.d|\.?n?vim|vimfiles|\.hammerspoon|library\/preferences|application support|appdata\/roaming|etc)\//;

export interface WrittenFile {
  /** Names from the workspace down: the folders above it are the person's choice. */
  beneath: readonly string[];
  whole: readonly string[];
  /** In a folder of Andiron in which sessions work, which may lie among the settings of programs. */
  isOwn: boolean;
}

/**
 * The name in which a program finds what it runs; null = an ordinary file. `kind`: it is not known of the name, but
 * programs may be set up in files of this kind.
 */
export function programFile({
  beneath,
  whole,
  isOwn,
}: WrittenFile): { what: 'name' | 'kind'; name: string } | null {
  const hidden = beneath.find((name) => foldName(name).startsWith('.'));
  if (hidden !== undefined) return { what: 'name', name: hidden };
  const folded = whole.map(foldName);
  const folder = folded.slice(0, -1).findIndex((name) => folders.has(name) || isBundle(name));
  if (folder !== -1) return { what: 'name', name: whole[folder] ?? '' };
  const name = whole.at(-1) ?? '';
  const path = `/${folded.join('/')}`;
  if (isProgramName(folded.at(-1) ?? '') || places.some((place) => place.test(path)))
    return { what: 'name', name };
  const isOrders = orders.test(name) && !forPeople.test(name);
  return isOrders || !isOrdinary(name, !isOwn && settings.test(path)) ? { what: 'kind', name } : null;
}

function isProgramName(name: string): boolean {
  if (names.has(name)) return true;
  if (name.includes('.') && endings.has(name.slice(name.lastIndexOf('.') + 1))) return true;
  return patterns.some((pattern) => pattern.test(name));
}

/** A Mac opens such a folder as one program. */
const isBundle = (name: string): boolean =>
  /\.(?:app|workflow|xcodeproj|xcworkspace|bundle|framework)$/.test(name);

function listed(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')));
}
