/** The first start as the shell mounts it, on an engine that the test describes. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useStore } from 'zustand';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { EngineState, GpuSample, Profile, Pull } from '../../protocol/model.ts';
import { OpenLinkContext } from '../components/link.tsx';
import { SetupPage } from '../features/onboarding/setup-page.tsx';
import { useFirstRunOpen } from '../features/onboarding/use-first-run.ts';
import type { OpenSessionStore } from '../stores/session-store.ts';
import type { FakeServer } from './fake-server.ts';
import { anEngine, aProfile, noon } from './fixtures.ts';
import { openTestWindow, renderIn } from './window-kit.tsx';

export const gib = 1024 ** 3;

export function aGpu(over: Partial<GpuSample> = {}): GpuSample {
  return {
    name: 'NVIDIA GeForce RTX 3090',
    vramTotalBytes: 24 * gib,
    vramUsedBytes: 1.5 * gib,
    utilization: 1,
    temperatureC: 40,
    powerW: 30,
    at: noon,
    ...over,
  };
}

export function aPull(over: Partial<Pull> = {}): Pull {
  return {
    model: 'qwen3.8:27b',
    phase: 'pulling',
    completedBytes: 5e9,
    totalBytes: 17e9,
    bytesPerSecond: 1e8,
    startedAt: noon,
    problem: null,
    ...over,
  };
}

/** Of the tour: how much of it is shown. */
function Stage({ session }: { session: OpenSessionStore }) {
  const count = useStore(session, ({ state }) => state?.items.length);
  return <p data-testid="stage">{count}</p>;
}

/** As the shell mounts it. */
function FirstRun() {
  return useFirstRunOpen() ? <SetupPage platform="linux" stage={Stage} /> : <p>The composer</p>;
}

interface FirstRunOptions {
  profiles?: Profile[];
  /** Of new sessions; null = nobody has chosen one. */
  workspace?: string | null;
  desktop?: DesktopBridge | null;
  prepare?: (engine: FakeServer) => void;
}

export async function startFirstRun(
  engine: Partial<EngineState>,
  { profiles, workspace = null, desktop = null, prepare }: FirstRunOptions = {},
) {
  const window = await openTestWindow(desktop);
  prepare?.(window.engine);
  window.stores.host.setState({
    profiles: profiles ?? [aProfile({ models: [] })],
    defaults: { profileId: 'developer', workspace },
    sessions: [],
  });
  window.stores.engine.setState({ engine: anEngine({ gpus: [aGpu()], ...engine }) });
  const opened: string[] = [];
  renderIn(
    window,
    <OpenLinkContext value={(url) => opened.push(url)}>
      <FirstRun />
    </OpenLinkContext>,
  );
  return { ...window, opened, user: userEvent.setup() };
}

/** Title of the step that is now. */
export function titleNow(): string | null | undefined {
  return document.querySelector('[aria-current="step"] h2')?.firstChild?.textContent;
}

/** What leads on: one at most. */
export function primaryButtons(): string[] {
  return [...document.querySelectorAll('.btn.primary')].map(({ textContent }) => textContent);
}

/** What is said of the step with this title, at its right. */
export function factOf(title: string): string | null | undefined {
  const heading = screen.getByRole('heading', { name: new RegExp(`^${title}`) });
  return heading.nextElementSibling?.firstElementChild?.textContent;
}
