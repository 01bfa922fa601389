/** The scenes that are screens of the window, as `docs/screens` shows them: each once, in the state that says most. */
export const documented: readonly string[] = [
  // A first start.
  'onboarding-offer',
  'onboarding-nomodel',
  'onboarding-notools-measured',
  'onboarding-folder',
  'onboarding-task',

  // A turn.
  'window-empty',
  'window-prefill',
  'window-running',
  'window-planned',
  'window-agent-asks',
  'window-approval',
  'window-approval-edit',
  'window-transcript-cards',
  'window-ended',
  'window-stopped',
  'window-failed',
  'window-turn-files',
  'window-transcript-find',
  'files-viewer-landscape',

  // The message box.
  'composer-attachments',
  'composer-mention',

  // Sessions, commands and keys.
  'window-sessions-marks',
  'window-sessions-found',
  'palette-found',
  'shortcuts-sheet',

  // The engine, and what is wrong with it.
  'window-engine-hot',
  'window-slow',
  'window-lost',
  'window-reconnecting',

  // Settings.
  'settings-profiles',
  'profile-prompts',
  'settings-models',
  'settings-engine',
  'settings-approvals',
  'settings-memory',
  'settings-appearance',
  'settings-shortcuts',
  'settings-storage',
  'settings-usage',
  'settings-about',

  // For every reader.
  'largest-running',
  'composer-rtl',
];
