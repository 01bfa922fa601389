/** Stops a build that would start without its search program or its database, and adds what a package must say. */
const fs = require('node:fs');
const path = require('node:path');
const { writeLegal } = require('./legal.cjs');

/** electron-builder names an architecture by its number. */
const archNames = { 0: 'ia32', 1: 'x64', 2: 'armv7l', 3: 'arm64', 4: 'universal' };

/**
 * npm installs only the binaries of the machine it runs on, so packing for another one finds none.
 * @param {{ appOutDir: string, electronPlatformName: string, arch: number,
 *   packager: { getResourcesDir(appOutDir: string): string } }} context electron-builder's afterPack context
 */
function assertTargetBinaries({ appOutDir, electronPlatformName, arch, packager }) {
  const target = `${electronPlatformName}-${archNames[arch]}`;
  const unpacked = path.join(packager.getResourcesDir(appOutDir), 'app.asar.unpacked');
  const missing = unpackedBinaries(target).filter((each) => !fs.existsSync(path.join(unpacked, each)));
  if (missing.length === 0) return;
  throw new Error(
    `The package for ${target} lacks ${missing.join(' and ')}. Run npm ci and pack on a ${target} machine.`,
  );
}

/**
 * Paths below `app.asar.unpacked` without which the agent host does not start.
 * @param {string} target such as `linux-x64`
 */
function unpackedBinaries(target) {
  return [
    `node_modules/better-sqlite3/prebuilds/${target}.node`,
    `node_modules/@vscode/ripgrep-${target}/bin/${target.startsWith('win32') ? 'rg.exe' : 'rg'}`,
  ];
}

/**
 * An app that is signed ad hoc cannot be replaced: macOS asks of the new version what no other program has. The app reads
 * this file as it reads the one that electron-builder writes for a deb.
 */
function markAdHoc({ appOutDir, electronPlatformName, packager }) {
  if (electronPlatformName !== 'darwin' || packager.platformSpecificBuildOptions?.identity !== '-') return;
  fs.writeFileSync(path.join(packager.getResourcesDir(appOutDir), 'package-type'), 'ad-hoc');
}

/** electron-builder's hook, before it signs. */
function afterPack(context) {
  assertTargetBinaries(context);
  markAdHoc(context);
  writeLegal(path.join(__dirname, '..'), context.packager.getResourcesDir(context.appOutDir));
}

module.exports = { afterPack, assertTargetBinaries, markAdHoc, unpackedBinaries };
