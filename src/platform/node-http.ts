/**
 * Node's HTTP, for every process that wants to start soon. `import … from 'node:http'` asks for each of its exports, and
 * one of those loads all that is behind `fetch`, which takes longer than Node itself takes to start. Both modules are loaded
 * when something is asked for or served: a start does neither, and TLS alone would take a tenth of it.
 */
export const nodeHttp = () => process.getBuiltinModule('node:http');
export const nodeHttps = () => process.getBuiltinModule('node:https');
