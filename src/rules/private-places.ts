/**
 * Places that are asked about whenever a tool would open them, even to read: where programs keep a person's keys,
 * sign-ins and browser data, and what a login runs. Known by their usual names, wherever they lie.
 */
import { foldName, splitPath } from './path-names.ts';

export type PrivateKind = 'keys' | 'browser' | 'start_up' | 'processes';

/** Names and runs of names, folded, listed with commas. Each stands for itself and for everything beneath it. */
const places: Readonly<Record<Exclude<PrivateKind, 'processes'>, readonly string[]>> = {
  keys: [
    '.ssh, .aws, .azure, .gnupg, .kube, .oci, .pki, .password-store, .vault-token',
    '.netrc, _netrc, .pgpass, .my.cnf, .boto, .s3cfg, .npmrc, .pypirc',
    '.git-credentials, .terraformrc, .terraform.d, .htpasswd, .config/git/credentials',
    '.docker/config.json, .cargo/credentials, .cargo/credentials.toml, .gem/credentials',
    '.m2/settings.xml, .m2/settings-security.xml, .gradle/gradle.properties, .config/op',
    '.config/gcloud, .config/gh, .config/glab-cli, .config/hub, .config/doctl, .config/rclone',
    '.config/containers/auth.json, .local/share/keyrings, .local/share/kwalletd, .electrum',
    'library/keychains, library/group containers, .bitcoin, .ethereum, wallet.dat',
    'appdata/roaming/microsoft/credentials, appdata/roaming/microsoft/protect',
    'appdata/roaming/microsoft/vault, appdata/local/microsoft/credentials, .config/sops',
    'appdata/local/microsoft/vault, appdata/roaming/gnupg, appdata/roaming/gcloud',
    '.claude/.credentials.json, .codex/auth.json, .gemini/oauth_creds.json',
    'id_rsa, id_dsa, id_ecdsa, id_ecdsa_sk, id_ed25519, id_ed25519_sk, run/secrets',
  ],
  browser: [
    '.mozilla, .thunderbird, .librewolf, .waterfox, .zen, .config/google-chrome',
    '.config/google-chrome-beta, .config/google-chrome-unstable, .config/chromium, .config/vivaldi',
    '.config/bravesoftware, .config/microsoft-edge, .config/opera, .config/qutebrowser',
    '.local/share/qutebrowser, .var/app, snap/firefox, snap/chromium, library/safari',
    'library/cookies, library/containers, library/mail, library/messages, cookies.sqlite',
    'library/application support/google, library/application support/firefox, login data',
    'library/application support/bravesoftware, library/application support/chromium, logins.json',
    'library/application support/microsoft edge, library/application support/vivaldi, key4.db',
    'library/application support/arc, library/application support/thunderbird, .config/thorium',
    'appdata/roaming/mozilla, appdata/roaming/thunderbird, appdata/roaming/opera software',
    'appdata/local/google, appdata/local/chromium, appdata/local/bravesoftware',
    'appdata/local/microsoft/edge, appdata/local/vivaldi, appdata/local/mozilla',
  ],
  start_up: [
    '.bashrc, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .profile, .zshrc',
    '.zshenv, .zprofile, .zlogin, .zlogout, .kshrc, .mkshrc, .cshrc, .tcshrc, .login',
    '.logout, .inputrc, .xprofile, .xinitrc, .xsession, .xsessionrc, .pam_environment',
    '.config/fish, .config/nushell, .config/zsh, .config/environment.d, .config/autostart',
    '.config/autostart-scripts, .config/systemd, .config/plasma-workspace, .config/hypr',
    '.config/sway, .config/i3, .oh-my-zsh, .local/share/systemd, .local/share/dbus-1',
    '.local/share/applications, autostart, launchagents, launchdaemons',
    'startupitems, start menu/programs/startup, documents/powershell, documents/windowspowershell',
    'etc/profile, etc/profile.d, etc/environment, etc/bash.bashrc, etc/zsh, etc/zshrc',
    'etc/crontab, etc/cron.d, etc/cron.daily, etc/cron.hourly, etc/cron.weekly',
    'etc/cron.monthly, etc/systemd, etc/init.d, etc/rc.local, etc/xdg/autostart, etc/sudoers',
    'etc/sudoers.d, etc/pam.d, etc/ld.so.preload, var/spool/cron, crontabs',
  ],
};

/** Files of keys by their ending, and what a shell or an interpreter remembers of what was typed. */
const keyFile = /\.(?:pem|key|p12|pfx|ppk|kdbx?|jks|keystore|agekey|ovpn|tfstate)$/;
const history = /^\.\w*history$|^consolehost_history\.txt$/;
/** `.env.example` is there to be read. */
const environment = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).+)?$/;

interface PlaceNames {
  what: PrivateKind;
  /** As it is shown. */
  place: string;
  parts: readonly string[];
}

/** By their last name, so that a long walk looks each name up once. */
const byLastName: ReadonlyMap<string, PlaceNames[]> = Map.groupBy(
  (Object.keys(places) as (keyof typeof places)[]).flatMap((what) =>
    places[what]
      .flatMap((line) => line.split(', '))
      .map((place): PlaceNames => ({ what, place, parts: place.split('/') })),
  ),
  ({ parts }) => parts.at(-1) ?? '',
);

/** The place by its own name, as it should be shown; null = an ordinary path. The path is real and absolute. */
export function privatePlace(path: string): { what: PrivateKind; name: string } | null {
  const names = splitPath(path).map(foldName);
  // Another process's environment holds its keys.
  if (names[0] === 'proc') return { what: 'processes', name: '/proc' };
  for (const [index, name] of names.entries()) {
    const found = byLastName.get(name)?.find(({ parts }) => endsWith(names, index, parts));
    if (found) return { what: found.what, name: found.place };
    if (keyFile.test(name) || history.test(name) || environment.test(name)) return { what: 'keys', name };
  }
  return null;
}

const endsWith = (names: readonly string[], index: number, parts: readonly string[]): boolean =>
  parts.every((part, at) => names[index - parts.length + 1 + at] === part);
