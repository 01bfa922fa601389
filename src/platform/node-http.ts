/**
 * Node's HTTP, for every process that wants to start soon. `import … from 'node:http'` asks for each of its exports, and
 * one of those loads all that is behind `fetch`, which takes longer than Node itself takes to start.
 */
export const { createServer, get, request: httpRequest } = process.getBuiltinModule('node:http');
export const { request: httpsRequest } = process.getBuiltinModule('node:https');
