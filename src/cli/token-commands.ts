/** `andiron token`: what programs speak to the gateway with. */
import { visibleName } from '../rules/visible-text/visible-text.ts';
import type { CliOutput } from './cli-output.ts';
import type { TokenCommand } from './command-arguments.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { HostRpc } from './host-rpc.ts';

export async function runTokenCommand(
  command: TokenCommand,
  rpc: HostRpc,
  output: CliOutput,
): Promise<ExitCode> {
  switch (command.action) {
    case 'create': {
      const { title, level, modules } = command;
      const { token, text } = await rpc.call('token/create', { name: title, level, modules });
      output.note(`Token ${token.id}. Its text is shown once:`);
      output.line(text);
      return exitCodes.done;
    }
    case 'list': {
      const { tokens } = await rpc.call('token/list', {});
      for (const token of tokens) {
        const { id, level, modules, revokedAt, name } = token;
        if (command.json) output.json(token);
        else {
          const state = revokedAt === null ? 'works' : 'revoked';
          output.line([id, level, modules?.join(',') ?? 'all', state, name].map(visibleName).join('  '));
        }
      }
      if (tokens.length === 0) output.note('There are no tokens yet.');
      return exitCodes.done;
    }
    case 'revoke':
      await rpc.call('token/revoke', { tokenId: command.id });
      output.note(`Revoked: ${visibleName(command.id)}`);
      return exitCodes.done;
  }
}
