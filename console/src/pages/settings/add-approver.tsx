import { type Session, useAddApprover } from '../../api/session.ts';
import { CredentialForm } from '../../components/forms/credential-form.tsx';
import { lacksRole, NoApprover } from '../../components/people/no-approver.tsx';
import { Notice } from '../../components/states/notice.tsx';
import styles from './settings.module.css';

/** A second credential of the same person, so that one need not sign out to decide. */
export function AddApprover({ session }: { readonly session: Session }) {
  const add = useAddApprover();
  const { approver } = session;
  const team = session.mode === 'team';
  // the form that was sent stays: its answer says what is missing still
  if (approver !== undefined && lacksRole(session) && add.isIdle) return <NoApprover approver={approver} />;
  return (
    <details className={styles['more']}>
      <summary>Let me decide approvals, too</summary>
      <CredentialForm
        name="approver"
        label={team ? 'Your key for deciding' : 'Approver token'}
        hint={
          team
            ? 'A key of yours that was made for deciding: `toolcrib admin key add USER --approver`.'
            : 'As `toolcrib approvals token` prints it on the machine of the gateway.'
        }
        action="Add"
        sent={add}
        refused="This does not let you decide"
        onSend={(token) => add.mutate(token)}
      />
      {add.data?.can.decide === false ? (
        <Notice tone="warn" title="The key is added, and you are no approver" alert>
          <p>Deciding takes a role for it, too, which an admin of your organisation gives.</p>
        </Notice>
      ) : null}
    </details>
  );
}
