/** What scripts in TypeScript use of `node.mjs`, which has to run in any Node. */
export declare const root: string;
export declare function commandOf(packageName: string, command?: string): string;
