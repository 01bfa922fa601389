/**
 * Places that are asked about whenever a tool would open them, even to read: where programs keep a person's keys,
 * sign-ins and browser data, and what a login runs. Known by their usual names, wherever they lie.
 */
import { foldName, splitPath } from './path-names.ts';

/** `hidden`: beneath a home folder, where programs keep what no list of places can name. */
export type PrivateKind = 'keys' | 'browser' | 'start_up' | 'processes' | 'hidden';

/** Names and runs of names, folded, listed with commas. Each stands for itself and for everything beneath it. */
const places: Readonly<Record<Exclude<PrivateKind, 'processes' | 'hidden'>, readonly string[]>> = {
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
    'etc/shadow, etc/shadow-, etc/gshadow, etc/gshadow-, etc/master.passwd, etc/krb5.keytab, etc/wireguard',
    'etc/security/opasswd, etc/ssl/private, etc/pki/tls/private, etc/letsencrypt, etc/ipsec.secrets, etc/ppp',
    'etc/openvpn, etc/networkmanager/system-connections, etc/netplan, etc/wpa_supplicant, etc/sssd',
    'etc/mysql/debian.cnf, etc/docker/key.json, etc/rancher, etc/kubernetes, etc/polkit-1, var/backups',
    'var/lib/samba/private, var/lib/networkmanager, var/lib/iwd, var/lib/private, var/db/dslocal',
    'windows/system32/config',
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

/** Files of keys by their ending or as a server names its own, and what a shell or an interpreter remembers of what was typed. */
const keyFile = /^ssh_host_\w+_key$|\.(?:pem|key|p12|pfx|ppk|kdbx?|jks|keystore|agekey|ovpn|tfstate)$/;
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

/**
 * The hidden place beneath a home folder in which the path lies, by its own name; null = none, or the session itself works
 * in it. `homes`: the person's own folder, where it is not in one of the usual places; those of others count too.
 */
export function hiddenInHome(path: string, workspace: string, homes: readonly string[]): string | null {
  const parts = splitPath(path);
  const names = parts.map(foldName);
  const within = splitPath(workspace).map(foldName);
  const lengths = [
    usualHome(names),
    ...homes.map((home) => lengthWithin(splitPath(home).map(foldName), names)),
  ];
  for (const length of lengths) {
    const name = length === null ? undefined : names[length];
    if (length === null || name === undefined || !isHiddenName(name)) continue;
    const worksThere = names.slice(0, length + 1).every((each, at) => within[at] === each);
    if (!worksThere) return parts[length] ?? name;
  }
  return null;
}

/** Hidden by the system's own mark rather than by a dot: what programs keep on Windows, on a Mac and in snaps. */
const isHiddenName = (name: string): boolean =>
  name.startsWith('.') || name === 'appdata' || name === 'library' || name === 'snap';

/** How many names lead to the home folder above a path, where homes usually are. */
function usualHome(names: readonly string[]): number | null {
  const [first = '', second] = names;
  if (first === 'root') return 1;
  if (first === 'home' || first === 'users') return 2;
  if (first === 'var' && second === 'root') return 2;
  return second === 'home' || (second === 'users' && first.endsWith(':')) ? 3 : null;
}

const lengthWithin = (folder: readonly string[], names: readonly string[]): number | null =>
  folder.length > 0 && folder.every((name, at) => names[at] === name) ? folder.length : null;
