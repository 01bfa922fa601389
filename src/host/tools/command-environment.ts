/** What a command inherits: what programs need to run and to find their tools, and nothing that could be a secret (W6). */

const inherited = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY',
    // Windows
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA',
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS',
    // Where toolchains live
    'JAVA_HOME ANDROID_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL PYENV_ROOT',
    'VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT DOTNET_ROOT DENO_DIR CUDA_HOME',
  ].flatMap((line) => line.split(' ')),
);
const inheritedPrefixes = ['LC_', 'XDG_'];

/** No colours, no pagers and no questions: nobody sits at this terminal. */
const added = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const key = name.toUpperCase();
    const isKept = inherited.has(key) || inheritedPrefixes.some((prefix) => key.startsWith(prefix));
    if (value !== undefined && isKept) kept[name] = value;
  }
  return { ...kept, ...added };
}
