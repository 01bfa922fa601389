/** What the agent host and its commands inherit: what programs need to run and to find their tools, and no secret. */

const inherited = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY',
    // Windows
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA',
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432',
    'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS USERNAME USERDOMAIN PUBLIC ALLUSERSPROFILE',
    // Where toolchains live
    'JAVA_HOME ANDROID_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL PYENV_ROOT',
    'VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT DOTNET_ROOT DENO_DIR CUDA_HOME',
  ].flatMap((line) => line.split(' ')),
);
const inheritedPrefixes = ['LC_', 'XDG_'];

export function inheritedEnvironment(
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const key = name.toUpperCase();
    const isKept = inherited.has(key) || inheritedPrefixes.some((prefix) => key.startsWith(prefix));
    if (value !== undefined && isKept) kept[name] = value;
  }
  return kept;
}
