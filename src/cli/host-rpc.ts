import type { HostMethods } from '../protocol/host-methods.ts';
import type { RpcClient } from '../protocol/rpc-client.ts';

export type HostRpc = RpcClient<HostMethods>;
