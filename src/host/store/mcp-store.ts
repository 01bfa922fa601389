/** Tools of servers, as the person allowed them. */
import { z } from 'zod';
import type { Database } from './sqlite.ts';

export interface AllowedTool {
  server: string;
  name: string;
  /** JSON, as the server lists it. */
  definition: string;
  hash: string;
  isOn: boolean;
}

export type McpStore = ReturnType<typeof createMcpStore>;

const toolRow = z
  .object({
    server: z.string(),
    name: z.string(),
    definition: z.string(),
    hash: z.string(),
    isOn: z.number(),
  })
  .transform((row) => ({ ...row, isOn: row.isOn === 1 }));

export function createMcpStore(database: Database) {
  const servers = database.query<[], { name: string }>(
    'SELECT name FROM mcp_servers ORDER BY name',
    z.object({ name: z.string() }),
  );
  const tools = database.query<[], AllowedTool>(
    'SELECT server, name, definition, hash, is_on AS isOn FROM mcp_tools ORDER BY server, name',
    toolRow,
  );
  const allowServer = database.command<[string, number]>(
    'INSERT INTO mcp_servers (name, allowed_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const allowTool = database.command<[string, string, string, string, number]>(
    `INSERT INTO mcp_tools (server, name, definition, hash, confirmed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (server, name) DO UPDATE
     SET definition = excluded.definition, hash = excluded.hash, confirmed_at = excluded.confirmed_at`,
  );
  const forgetTool = database.command<[string, string]>(
    'DELETE FROM mcp_tools WHERE server = ? AND name = ?',
  );
  const setOn = database.command<[number, string, string]>(
    'UPDATE mcp_tools SET is_on = ? WHERE server = ? AND name = ?',
  );
  const remove = database.command<[string]>('DELETE FROM mcp_servers WHERE name = ?');
  return {
    /** Whose first list was taken up. */
    allowedServers: (): string[] => servers.all().map(({ name }) => name),
    allowedTools: (): AllowedTool[] => tools.all(),
    /** Each takes the place of the one with its name, and is on or off as that was. */
    allowTools(server: string, allowed: readonly Omit<AllowedTool, 'server' | 'isOn'>[], at: number): void {
      database.transaction(() => {
        allowServer.run(server, at);
        for (const { name, definition, hash } of allowed) allowTool.run(server, name, definition, hash, at);
      });
    },
    forgetMcpTool: (server: string, name: string): void => void forgetTool.run(server, name),
    setMcpToolOn: (server: string, name: string, isOn: boolean): void =>
      void setOn.run(isOn ? 1 : 0, server, name),
    /** With its tools. */
    removeMcpServer: (server: string): void => void remove.run(server),
  };
}
