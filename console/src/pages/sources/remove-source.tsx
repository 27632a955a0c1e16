import { useState } from 'react';
import { useLocation } from 'wouter';
import { Confirm } from '../../components/confirm.tsx';
import { Refusal } from '../../components/error-note.tsx';
import { counted } from '../../components/quantities.ts';
import { Parts } from '../../components/stack.tsx';
import { FileDifference } from './file-difference.tsx';
import { KeepChoice } from './keep-choice.tsx';
import { type ShownSource, useRemovalPlan, useRemoveSource, useSourceOptions } from './queries.ts';

interface RemoveSourceProps {
  readonly source: ShownSource;
  readonly onClose: () => void;
}

/** Takes a source out, after what that changes was shown. */
export function RemoveSource({ source, onClose }: RemoveSourceProps) {
  const [, navigate] = useLocation();
  const { file } = useSourceOptions().data ?? {};
  const written = source.origin === 'file' && file !== undefined;
  const [chosen, setChosen] = useState<'file' | 'run'>();
  const keep = chosen ?? (written && file.writable ? 'file' : 'run');
  const plan = useRemovalPlan(source.name, keep);
  const remove = useRemoveSource();
  return (
    <Confirm
      title={`Remove ${source.name}?`}
      action="Remove"
      busy={remove.isPending || !plan.isSuccess}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { name: source.name, keep, revision: plan.data?.file?.revision },
          {
            onSuccess() {
              onClose();
              navigate('/sources');
            },
            // the file may have changed: what is shown is asked for again
            onError: () => void plan.refetch(),
          },
        )
      }
    >
      <Parts>
        <p>
          Its {counted(source.tools ?? source.operations, 'tool')} leave every client’s list at once. Calls
          under way end as they began.
        </p>
        {written ? <KeepChoice keep={keep} file={file} onChoose={setChosen} legend="Take it out" /> : null}
        {plan.data?.file === undefined ? null : <FileDifference change={plan.data.file} />}
        <Refusal of={plan} title="It cannot be removed like this" />
        <Refusal of={remove} title="It was not removed" />
      </Parts>
    </Confirm>
  );
}
