import type { ApprovalState } from '../operations/index.ts';
import { approvalSources, isApprover, type Viewer } from './deciders.ts';
import type { ApprovalRecords, ApprovalScope, StoredApproval } from './records.ts';
import { publicApproval, type ShownApproval } from './shown-approval.ts';

export interface ListQuery {
  readonly states?: readonly ApprovalState[];
  /** The tool's name. */
  readonly tool?: string;
  readonly source?: string;
  /** Whose calls; a viewer who sees only the own ones finds nobody else's. */
  readonly principal?: string;
  /** Id of the last approval of the page before. Throws `approval_unknown`. */
  readonly before?: string;
  /** Default 100, at most 1000. */
  readonly limit?: number;
}

/** One page of a list. */
export interface ApprovalPage {
  readonly approvals: readonly ShownApproval[];
  /** There may be more: `before` of the next page. */
  readonly next?: string;
}

interface PagesParts {
  readonly records: ApprovalRecords;
  /** Roles that decide for their organisation. */
  readonly approvers: () => readonly string[];
  /** With what time has made of it. */
  readonly current: (approval: StoredApproval) => Promise<StoredApproval>;
  /** Throws `approval_unknown`, also for what this viewer must not know of. */
  readonly seen: (id: string, viewer: Viewer) => Promise<StoredApproval>;
}

const MOST_LISTED = 100;

/** Reads lists of approvals, newest first, each with what its viewer may see. */
export function createPages({ records, approvers, current, seen }: PagesParts) {
  return async (viewer: Viewer, query: ListQuery = {}): Promise<ApprovalPage> => {
    const { states, tool, source, principal, before, limit = MOST_LISTED } = query;
    const most = Math.min(limit, 1000);
    const scope = scopeOf(viewer, approvers());
    if (principal !== undefined && scope.principal !== undefined && principal !== scope.principal) {
      return { approvals: [] };
    }
    const behind = before === undefined ? undefined : await seen(before, viewer);
    const found = await records.list({
      ...scope,
      ...(principal === undefined ? {} : { principal }),
      ...(tool === undefined ? {} : { tool }),
      ...(source === undefined ? {} : { source }),
      ...(states === undefined ? {} : { states }),
      ...(behind === undefined ? {} : { behind }),
      limit: most,
    });
    const shown = await Promise.all(found.map(current));
    const last = found.length === most ? found.at(-1)?.id : undefined;
    return {
      approvals: shown.filter(({ state }) => states?.includes(state) ?? true).map(publicApproval),
      ...(last === undefined ? {} : { next: last }),
    };
  };
}

/** Which approvals and agreements a viewer sees. */
export function scopeOf(viewer: Viewer, approvers: readonly string[]): ApprovalScope {
  if (viewer.kind === 'operator') return {};
  const { principal, roles } = viewer;
  const { organisation = null } = principal;
  const sources = approvalSources(principal);
  return {
    organisation,
    ...(isApprover(roles, approvers) && organisation !== null ? {} : { principal: principal.id }),
    ...(sources === undefined ? {} : { sources }),
  };
}
