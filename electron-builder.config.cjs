/** Packs what `npm run build` made. Every native module is a prebuilt N-API file, so nothing is compiled. */

/**
 * Listed per target: `${platform}` would mean the machine that builds, and a list of exclusions alone means everything.
 * @param {'linux' | 'darwin' | 'win32'} platform
 */
const files = (platform) => [
  'package.json',
  'out/**',
  '!out/**/*.map',
  '!node_modules/**/*.{md,map,ts,mts,cts}',
  '!node_modules/better-sqlite3/{deps,src}/**',
  '!node_modules/better-sqlite3/binding.gyp',
  `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}).node`,
  '!node_modules/node-addon-api/**',
  '!node_modules/@types/**',
  'resources/**',
];

module.exports = {
  appId: 'io.github.andiron',
  productName: 'Andiron',
  directories: { output: 'dist', buildResources: 'resources/icons' },
  npmRebuild: false,
  asar: true,
  // Programs and native modules cannot run from inside an archive; resources are copied and read as real files.
  asarUnpack: ['**/*.node', 'node_modules/@vscode/ripgrep*/bin/**', 'resources/**'],
  // With RunAsNode off the program cannot be used as a Node; children are utility processes.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    maintainer: 'The Andiron developers',
    files: files('linux'),
  },
  mac: { target: ['dmg', 'zip'], category: 'public.app-category.developer-tools', files: files('darwin') },
  win: { target: ['nsis'], files: files('win32') },
};
