/** The scenes that a reader of `docs/screens` needs: each once, in the state that says most. */
export const documented: readonly string[] = [
  'onboarding-nomodel',
  'window-answer',
  'window-running',
  'window-planned',
  'window-approval',
  'window-stopped',
  'window-sessions-found',
  'window-engine-hot',
  'palette-found',
  'settings-profiles',
];
