import type { Tool } from '@modelcontextprotocol/client';
import { chunksOf } from './chunks.ts';
import type { CroitClient } from './croit-client.ts';

export interface CategoryAction {
  readonly tool: string;
  readonly action: string;
  /** The operation that it leads to. */
  readonly id: string;
}

export function actionsOf(tool: Tool): readonly string[] {
  const properties = tool.inputSchema.properties as Record<string, { readonly enum?: string[] }> | undefined;
  return properties?.['action']?.enum ?? [];
}

/** Every action of every category tool, with the operation that the error for a wrong argument names. */
export async function categoryActions(client: CroitClient): Promise<readonly CategoryAction[]> {
  const places = (await client.tools()).flatMap((tool) =>
    actionsOf(tool).map((action) => ({ tool: tool.name, action })),
  );
  const found: CategoryAction[] = [];
  for (const chunk of chunksOf(places, 8)) {
    const answers = await Promise.all(
      chunk.map(({ tool, action }) => client.call(tool, { action, action_args: { 'no such argument': 1 } })),
    );
    for (const [index, { code, text }] of answers.entries()) {
      const [, id] = /^Arguments of (\S+):/m.exec(text) ?? [];
      if (code !== 'arguments_invalid' || id === undefined) throw new Error(text);
      found.push({ ...chunk[index]!, id });
    }
  }
  return found;
}
