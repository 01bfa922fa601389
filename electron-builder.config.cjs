/** Packs what `npm run build` made. Every native module is a prebuilt N-API file, so nothing is compiled. */
const { afterPack } = require('./packaging/after-pack.cjs');

/**
 * Listed per target: `${platform}` would mean the machine that builds, and a list of exclusions alone means everything.
 * @param {'linux' | 'darwin' | 'win32'} platform
 */
const files = (platform) => [
  'package.json',
  'out/**',
  '!out/**/*.map',
  // It needs a Node to run in, and the packed program is none (RunAsNode is off).
  '!out/main/server.js',
  // So does the command line's: main itself runs the commands. Gateway and bridges are utility processes.
  '!out/main/cli.js',
  '!node_modules/**/*.{md,map,ts,mts,cts}',
  '!node_modules/better-sqlite3/{deps,src}/**',
  '!node_modules/better-sqlite3/binding.gyp',
  `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}).node`,
  '!node_modules/node-addon-api/**',
  '!node_modules/@types/**',
  // Of the sandbox runtime, what our thread of it loads: no proxy, no certificates, no command line.
  '!node_modules/@anthropic-ai/sandbox-runtime/{node_modules,vendor/srt-win,vendor/java-proxy-agent}/**',
  '!node_modules/{node-forge,@pondwader,commander}/**',
  `!node_modules/@anthropic-ai/sandbox-runtime/vendor/seccomp/${platform === 'linux' ? '!(${arch})' : '*'}/**`,
  // Bundled into what was built.
  '!node_modules/{zod,yaml,ollama,diff,whatwg-fetch}/**',
  '!node_modules/{@peculiar,asn1js,pvtsutils,pvutils,reflect-metadata,tsyringe}/**',
  '!node_modules/{@modelcontextprotocol,jose,eventsource,eventsource-parser,pkce-challenge}/**',
  '!node_modules/{cross-spawn,path-key,shebang-command,shebang-regex}/**',
  '!node_modules/{defuddle,linkedom,ipaddr.js,css-select,cssomnom,html-escaper,htmlparser2,uhyphen}/**',
  '!node_modules/{boolbase,css-what,dom-serializer,domelementtype,domhandler,domutils,entities,nth-check}/**',
  '!node_modules/{fflate,mammoth,read-excel-file,unpdf,dingbat-to-unicode,duck,lop,option,saxen,underscore}/**',
  '!node_modules/{unzipper-esm,worker-f,jszip,lie,immediate,pako,setimmediate,base64-js,node-int64}/**',
  '!node_modules/{readable-stream,core-util-is,inherits,isarray,process-nextick-args,string_decoder,util-deprecate}/**',
  '!node_modules/safe-buffer/**',
  // Defuddle brings them for Markdown and formulas, which are not made here.
  '!node_modules/{mathml-to-latex,temml,turndown,@mixmark-io,@xmldom}/**',
  'resources/**',
];

const hasMacCertificate = Boolean(process.env.CSC_LINK || process.env.CSC_NAME);

module.exports = {
  appId: 'io.github.andiron',
  productName: 'Andiron',
  // The architecture is part of each name: updates for two of them are listed in one feed and told apart by it.
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  directories: { output: 'dist', buildResources: 'resources/icons' },
  npmRebuild: false,
  // Unpacked code is not covered by the archive's checksum, so only what is listed lies beside it.
  asar: { smartUnpack: false },
  // Programs and native modules cannot run from inside an archive; resources are copied and read as real files.
  asarUnpack: [
    '**/*.node',
    'node_modules/@vscode/ripgrep*/bin/**',
    'node_modules/@anthropic-ai/sandbox-runtime/vendor/seccomp/**',
    'resources/**',
  ],
  afterPack,
  // Only names where updates are looked for. Uploading is the release workflow's work: builds say `--publish never`.
  publish: {
    provider: 'generic',
    url: 'https://github.com/andiron/andiron/releases/latest/download',
    channel: 'latest',
  },
  // With RunAsNode off the program cannot be used as a Node; children are utility processes.
  electronFuses: {
    runAsNode: false,
    // There are no cookies to encrypt, and it would ask for the keychain of a Mac or the keyring of a Linux desktop.
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    // Setting fuses breaks the framework's signature, and Apple silicon runs nothing unsigned.
    resetAdHocDarwinSignature: true,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    maintainer: 'The Andiron developers <andiron@users.noreply.github.com>',
    // The .desktop file is called as `desktopName` in package.json says, which is the window's app id on Wayland.
    syncDesktopName: true,
    files: files('linux'),
  },
  deb: {
    recommends: ['git', 'libappindicator3-1'],
    afterRemove: 'packaging/after-remove.tpl',
  },
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.developer-tools',
    minimumSystemVersion: '13.0',
    // '-' signs ad hoc, which Apple silicon asks for at least; undefined lets electron-builder find the certificate.
    identity: hasMacCertificate ? undefined : '-',
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.plist',
    extendInfo: {
      NSLocalNetworkUsageDescription: 'Andiron uses model servers on your network when you add them.',
      NSAppleEventsUsageDescription: 'Commands that you approve may control other apps.',
      NSDesktopFolderUsageDescription: 'Andiron reads and changes files in the folders that you choose.',
      NSDocumentsFolderUsageDescription: 'Andiron reads and changes files in the folders that you choose.',
      NSDownloadsFolderUsageDescription: 'Andiron reads and changes files in the folders that you choose.',
    },
    files: files('darwin'),
  },
  win: { target: ['nsis'], files: files('win32') },
  nsis: {
    // The uninstaller asks, and an update never does.
    deleteAppDataOnUninstall: false,
    include: 'packaging/installer.nsh',
  },
};
