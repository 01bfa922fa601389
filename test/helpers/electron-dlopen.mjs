/** As Electron does in each thread: a native module is loaded from beside the archive. */
const dlopen = process.dlopen.bind(process);
process.dlopen = (module, path, ...rest) =>
  dlopen(module, path.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'), ...rest);
