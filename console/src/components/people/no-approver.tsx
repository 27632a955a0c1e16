import type { Session } from '../../api/session.ts';
import { Notice } from '../states/notice.tsx';
import { visibleText } from '../visible-text.ts';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Who decides about calls of others, for somebody who does not: whatever they sign in with, a role is missing. */
export function NoApprover({ approver }: { readonly approver: NonNullable<Session['approver']> }) {
  return (
    <Notice title="You are no approver">
      <p>
        {approver.roles.length === 0
          ? 'Calls that wait are decided by the operator of the gateway.'
          : `Calls that wait are decided by whoever has the role ${eitherRole(approver)} in your organisation, and by the operator of the gateway. An admin of your organisation gives roles.`}
      </p>
    </Notice>
  );
}

/** Its user holds no role that decides; undefined for whoever is no user. */
export function lacksRole({ approver, can }: Session): boolean {
  return !can.decide && approver?.is === false;
}

function eitherRole({ roles }: NonNullable<Session['approver']>): string {
  return EITHER.format(roles.map((role) => visibleText(role)));
}
