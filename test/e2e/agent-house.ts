/** The app on a simulated engine that a test holds in its hands, with profiles of its own and a workspace. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { ProfileFile } from '../../src/protocol/profile.ts';
import { startSim, type Script, type Sim, type SimOptions } from '../../src/sim/index.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';

export interface AgentHouse {
  sim: Sim;
  app: WebApp;
  workspace: string;
  /** A window on a new session, in which the model answers by this script from now on. */
  begin: (script: Script, options?: BrowserContextOptions) => Promise<OpenWindow>;
  close: () => Promise<void>;
}

interface HouseOptions {
  /** Profiles beside the built-in ones, by id; the id is what the profile is called. */
  profiles?: Record<string, Partial<ProfileFile>>;
  /** Path → content in the workspace. */
  files?: Record<string, string>;
  models?: SimOptions['models'];
  /** What else the engine is like. */
  sim?: SimOptions;
  /** Of the server, where other programs are to be found than this machine has. */
  env?: NodeJS.ProcessEnv;
}

const models = [{ name: 'qwen3.5:9b', family: 'qwen3.5' }] as const;

export async function startAgentHouse(browser: Browser, options: HouseOptions = {}): Promise<AgentHouse> {
  const folder = temporaryFolder();
  const workspace = join(folder.path, 'workspace');
  writeFiles(workspace, options.files ?? {});
  for (const [id, changes] of Object.entries(options.profiles ?? {})) {
    writeFiles(join(folder.path, 'data', 'profiles', id), {
      'profile.json': JSON.stringify({ name: id, tools: [], ...changes }),
      'system.md': 'You are the agent of a test.\n',
    });
  }
  const sim = await startSim({ speed: 50, models: options.models ?? models, ...options.sim });
  const args = [`--engine-url=${sim.url}`, `--data-dir=${join(folder.path, 'data')}`];
  const app = await launchWeb(browser, [...args, `--workspace=${workspace}`], options.env);
  return {
    sim,
    app,
    workspace,
    async begin(script, context) {
      sim.setScript(script);
      const view = await app.open(context);
      await view.window.ready();
      return view;
    },
    async close() {
      await app.close();
      await sim.close();
      folder.remove();
    },
  };
}

function writeFiles(root: string, files: Record<string, string>): void {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
