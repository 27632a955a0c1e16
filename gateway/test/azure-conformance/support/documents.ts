import { capturedConnectors } from '../../azure-seed/expectations/captured-connectors.ts';
import {
  type Node,
  type RawOperation,
  rawOperations,
} from '../../azure-seed/expectations/expected-envelope.ts';
import type { ConnectorDocument } from '../../doubles/arm/arm.ts';
import { CHAT } from '../../doubles/arm/connectors/chat.ts';
import { MAIL } from '../../doubles/arm/connectors/mail.ts';

/** Documents of real connectors; none in a plain checkout. */
export const CAPTURED: readonly ConnectorDocument[] = capturedConnectors();
export const hasCaptured = CAPTURED.length > 0;
export const SKIPPED = hasCaptured ? '' : '(the captured documents are not here: our own connectors only)';

/** Our own two connectors, then the captured ones, `office365` and `teams` first. */
export const CONNECTORS: readonly ConnectorDocument[] = [MAIL, CHAT, ...CAPTURED];
export const CASES = CONNECTORS.map((connector) => [connector.name, connector] as const);
/** `office365` and `teams` where they are, else our own. */
export const OFFICE: readonly ConnectorDocument[] = hasCaptured ? CAPTURED.slice(0, 2) : [MAIL, CHAT];

/** The operations that must become tools, by the seed's §3.3: read from the document alone. */
export function keptOperations(swagger: Node): RawOperation[] {
  const actions = rawOperations(swagger).filter(
    ({ node, path }) =>
      (node['x-ms-visibility'] ?? node['x-ms-visibilty']) !== 'internal' &&
      !node['x-ms-trigger'] &&
      !path.includes('$subscriptions'),
  );
  const families = Map.groupBy(actions, (one) => annotation(one).family ?? one.id);
  const newest = new Set(
    [...families.values()].map((family) =>
      family.reduce((best, one) => (revision(one) > revision(best) ? one : best)),
    ),
  );
  return actions.filter(
    (one) => newest.has(one) || (annotation(one).family === undefined && one.node.deprecated !== true),
  );
}

const annotation = ({ node }: RawOperation) =>
  (node['x-ms-api-annotation'] ?? {}) as { readonly family?: string; readonly revision?: number };
const revision = (operation: RawOperation): number => Number(annotation(operation).revision ?? 1);

/** Method and path as an envelope has them: what tells the operations of one connector apart. */
export const placeOf = ({ method, path }: Pick<RawOperation, 'method' | 'path'>): string =>
  `${method} ${path.replace(/^\/\{connectionId\}/, '') || '/'}`;
