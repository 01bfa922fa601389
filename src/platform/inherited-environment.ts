/** What the agent host and its commands inherit: what programs need to run and to find their tools, and no secret. */

const setOf = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** Where programs are, and which language they speak. */
const aboutPrograms = setOf(
  'PATH LANG LANGUAGE',
  // Where toolchains live
  'JAVA_HOME ANDROID_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL PYENV_ROOT',
  'VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT DOTNET_ROOT DENO_DIR CUDA_HOME',
);
const aboutMachine = setOf(
  'HOME USER LOGNAME SHELL TZ TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY',
  // Files with the certificates of a company's network: without them no program there trusts what it reaches
  'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO',
  'PIP_CERT CARGO_HTTP_CAINFO',
  // Windows
  'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA',
  'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432',
  'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS USERNAME USERDOMAIN PUBLIC ALLUSERSPROFILE',
  'NODEFAULTCURRENTDIRECTORYINEXEPATH',
);

/** @param name in capitals */
export const isAboutPrograms = (name: string): boolean => aboutPrograms.has(name) || name.startsWith('LC_');

export function inheritedEnvironment(
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const key = name.toUpperCase();
    const isKept = isAboutPrograms(key) || aboutMachine.has(key) || key.startsWith('XDG_');
    if (value !== undefined && isKept) kept[name] = value;
  }
  return kept;
}
