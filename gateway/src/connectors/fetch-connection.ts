import { type ArmClient, armJson } from './arm-client.ts';
import type { ArmPaths } from './arm-paths.ts';

/** The resource of one API connection as Azure has it; undefined where there is none. Throws ToolcribError. */
export async function fetchConnection(
  { client, paths }: { readonly client: ArmClient; readonly paths: ArmPaths },
  name: string,
  signal: AbortSignal,
): Promise<{ readonly resource: unknown } | undefined> {
  const purpose = { what: `get the connection ${name}`, action: 'Microsoft.Web/connections/read' };
  const request = { method: 'GET', path: paths.connection(name) } as const;
  const answer = await client.ask(request, purpose, signal, { also: [404] });
  return answer.status === 404 ? undefined : { resource: armJson(answer, purpose) };
}
