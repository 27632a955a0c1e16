import type { OperationFacts } from '../operation.ts';
import { namesOperation } from './names-operation.ts';

/** Picks tools by what they do; every part that is given must match. */
export interface ToolSelector {
  /** Name of the tool. */
  readonly tool?: string;
  readonly source?: string;
  /** Operation id, or `office365.*` for all that begin so. */
  readonly operation?: string;
  readonly tag?: string;
  readonly access?: OperationFacts['access'];
}

/** `isTool`: whether a name is that of the operation's tool, asked only where the selector names one. */
export function picksTool(
  selector: ToolSelector,
  { id, source, tags, access }: Pick<OperationFacts, 'id' | 'source' | 'tags' | 'access'>,
  isTool: (name: string) => boolean,
): boolean {
  return (
    (selector.tool === undefined || isTool(selector.tool)) &&
    (selector.source === undefined || selector.source === source) &&
    (selector.operation === undefined || namesOperation(selector.operation, id)) &&
    (selector.tag === undefined || tags.includes(selector.tag)) &&
    (selector.access === undefined || selector.access === access)
  );
}
