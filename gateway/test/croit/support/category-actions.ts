import type { Tool } from '@modelcontextprotocol/client';
import type { CroitClient } from './croit-client.ts';

export interface CategoryAction {
  readonly tool: string;
  readonly action: string;
}

export function actionsOf(tool: Tool): readonly string[] {
  const properties = tool.inputSchema.properties as Record<string, { readonly enum?: string[] }> | undefined;
  return properties?.['action']?.enum ?? [];
}

/** Every action of every category tool. */
export function categoryActions(tools: readonly Tool[]): readonly CategoryAction[] {
  return tools.flatMap((tool) => actionsOf(tool).map((action) => ({ tool: tool.name, action })));
}

/** The operation that an action leads to: the error for a wrong argument names it. */
export async function operationBehind(
  client: CroitClient,
  { tool, action }: CategoryAction,
): Promise<string> {
  const { code, text } = await client.call(tool, { action, action_args: { 'no such argument': 1 } });
  const [, id] = /^Arguments of (\S+):/m.exec(text) ?? [];
  if (code !== 'arguments_invalid' || id === undefined) throw new Error(text);
  return id;
}
