/**
 * Files that programs run, or take orders from, although nobody names them: a shell that enters the folder, an editor
 * that opens it, git, a package manager, a build, a test run, a CI server, the desktop, another agent.
 *
 * Where the line is: a file belongs here when a program finds it by its name, its place or its bits. A source file that
 * other code imports does not; neither does a file that runs only when a person starts it by name. What such a file
 * contains is what the person asked the agent to write. Beyond any list of names are files that another file points to
 * (a hook path in git's settings, a script in package.json): those pointing files are in the class themselves.
 */
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
  'noxfile.py, fabfile.py, dodo.py, tasks.py, build.boot',
  // Test runs and interpreters load these unasked.
  'conftest.py, pytest.ini, tox.ini, sitecustomize.py, usercustomize.py, pyvenv.cfg',
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
  'agents.md, agent.md, claude.md, claude.local.md, gemini.md, skill.md, copilot-instructions.md',
  'mcp.json, claude_desktop_config.json, andiron.json',
]);

/** `Makefile`, `Makefile.am`, `Dockerfile.dev`, `Jenkinsfile`, and whatever else is named like them. */
const stems =
  /^(?:gnu)?(?:make|rake|gem|docker|container|proc|brew|jenkins|vagrant|tilt|just|earth|pod|fast|app|match|deliver|gym|snap|cap|guard|danger|thor|berks|task|snake|pip|cart|puppet|cake|grunt|gulp|jake|steep|mint|plugin|bake|mage|nox|fab)file(?:\..+)?$/;

const patterns: readonly RegExp[] = [
  stems,
  /^docker-compose.*\.ya?ml$/,
  /^taskfile.*\.ya?ml$/,
  /^requirements.*\.(?:txt|in)$/,
  /^(?:ts|js)config.*\.json$/,
  /^(?:gulpfile|gruntfile|webpackfile|jakefile|karma\.conf|protractor\.conf)\./,
  // `vite.config.ts`: the tool it names runs it, and so does an editor's extension for that tool.
  /\.(?:config|conf|setup|workspace)\.(?:[cm]?[jt]sx?|json|ya?ml|toml)$/,
  // Locks say what is fetched and run.
  /(?:\.|-)lock(?:b|\.(?:json|ya?ml))?$/,
  /^directory\.(?:build|packages)\./,
];

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
]);

/** The name in which a program finds what it runs; null = an ordinary name. `beneath`: from the workspace down. */
export function programFile(beneath: readonly string[], whole: readonly string[]): string | null {
  const hidden = beneath.find((name) => foldName(name).startsWith('.'));
  if (hidden !== undefined) return hidden;
  const folder = whole.slice(0, -1).find((name) => folders.has(foldName(name)) || isBundle(foldName(name)));
  if (folder !== undefined) return folder;
  const name = whole.at(-1) ?? '';
  return isProgramName(foldName(name)) ? name : null;
}

function isProgramName(name: string): boolean {
  if (names.has(name) || folders.has(name)) return true;
  if (name.includes('.') && endings.has(name.slice(name.lastIndexOf('.') + 1))) return true;
  return patterns.some((pattern) => pattern.test(name));
}

/** A Mac opens such a folder as one program. */
const isBundle = (name: string): boolean =>
  /\.(?:app|workflow|xcodeproj|xcworkspace|bundle|framework)$/.test(name);

function listed(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')));
}
