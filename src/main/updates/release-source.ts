/** Where the project publishes its releases, and the key that signs their feeds. */

/** electron-builder.config.cjs writes the same address into the packages. */
export const releaseUrl = 'https://github.com/andiron/andiron/releases/latest/download';
export const releaseChannel = 'latest';

/** GitHub redirects a file of a release to its storage. */
export const releaseHosts: readonly string[] = [
  'github.com',
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
];

/**
 * The public half of the key of scripts/make-update-key.mjs: base64 of SPKI, DER. Empty until the project has published
 * one; such a build checks for no updates and says so.
 */
export const updateKey: string = '';
