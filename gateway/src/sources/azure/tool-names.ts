import { connectorPrefix } from '../../operations/index.ts';
import { trimEndsOf } from '../../operations/text/trim-runs.ts';

/** The operationId in words: `GetAllTeams` → `get_all_teams`; no break after a digit. */
function snakeCase(operationId: string): string {
  return operationId
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/**
 * `office365_send_email_v2`. A connection that is not named like its API adds its own name, so that two connections of
 * one API have tools of their own: `office365_backup_send_email_v2`.
 */
export function buildToolName(apiName: string, operationId: string, connectionName?: string): string {
  return `${connectorPrefix(apiName, connectionName || apiName)}_${snakeCase(operationId)}`;
}

/** The same in the characters that every client takes, `[A-Za-z0-9_-]`; length and collisions are the compiler's. */
export function toolNameOf(apiName: string, operationId: string, connectionName: string): string {
  const name = buildToolName(apiName, operationId, connectionName).replace(/[^A-Za-z0-9_-]+/g, '_');
  return trimEndsOf(name.replace(/_+/g, '_'), '_');
}

/** What `buildToolDescription` wants to know of a connection. */
export interface DescribedConnection {
  readonly displayName: string;
  /** `Connected`, or any other word of Azure. Absent: connected. */
  readonly status?: string | undefined;
}

/** What descriptions of tools end in while their connection is not signed in. */
export const UNAUTHENTICATED_MARK = ' ⚠️ Connection not authenticated';

/** `[Office 365 Outlook] Send an email (V2)`, with the mark where the connection is not signed in. */
export function buildToolDescription(
  connection: DescribedConnection,
  operation: { readonly summary?: string; readonly description?: string },
): string {
  const { displayName, status = 'Connected' } = connection;
  const mark = status === 'Connected' ? '' : UNAUTHENTICATED_MARK;
  return `[${displayName}] ${operation.summary || operation.description || ''}${mark}`;
}
