import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { counted } from '../../components/quantities.ts';
import { isOwn } from './obstacle.ts';
import { type ShownApproval, useRejectAll } from './queries.ts';

interface RejectAllProps {
  /** What the filters leave of what waits. */
  readonly waiting: readonly ShownApproval[];
  /** They are on their way out, or back where that was refused. */
  readonly onAway: (ids: readonly string[], away: boolean) => void;
}

/** Rejects everything that the filters leave; approving takes a look at each. */
export function RejectAll({ waiting, onAway }: RejectAllProps) {
  const { data: session } = useSession();
  /** Those that are meant: what comes while the question stands is not among them. */
  const [chosen, setChosen] = useState<readonly string[]>();
  const [reason, setReason] = useState('');
  const reject = useRejectAll(onAway);
  const ids =
    session?.can.decide === true ? waiting.filter((one) => !isOwn(session, one)).map(({ id }) => id) : [];
  const close = () => {
    setChosen(undefined);
    reject.reset();
  };
  return (
    <>
      {ids.length < 2 ? null : (
        <Button size="s" onClick={() => setChosen(ids)}>
          Reject all {ids.length}
        </Button>
      )}
      {chosen === undefined ? null : (
        <FormDialog
          title={`Reject ${counted(chosen.length, 'call')}?`}
          action="Reject them"
          sent={reject}
          refused="Not all of them were rejected"
          onSend={() => reject.mutate({ ids: chosen, reason: reason.trim() }, { onSuccess: close })}
          onClose={close}
        >
          <p>None of them is carried out. What was decided elsewhere meanwhile stays as it was decided.</p>
          <Field label="Reason" hint="Every caller is told. It may stay empty.">
            <input
              value={reason}
              maxLength={500}
              autoComplete="off"
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
        </FormDialog>
      )}
    </>
  );
}
