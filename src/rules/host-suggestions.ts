/** Hosts that a person may allow together: where a toolchain or Git gets things from. None is allowed by itself. */
export const hostSuggestions = [
  { id: 'npm', hosts: ['registry.npmjs.org'] },
  { id: 'python', hosts: ['pypi.org', 'files.pythonhosted.org'] },
  { id: 'rust', hosts: ['index.crates.io', 'static.crates.io', 'crates.io'] },
  { id: 'go', hosts: ['proxy.golang.org', 'sum.golang.org'] },
  {
    id: 'github',
    hosts: [
      'github.com',
      'codeload.github.com',
      'raw.githubusercontent.com',
      'objects.githubusercontent.com',
      'release-assets.githubusercontent.com',
    ],
  },
  { id: 'gitlab', hosts: ['gitlab.com'] },
] as const;

export type HostSuggestion = (typeof hostSuggestions)[number];
