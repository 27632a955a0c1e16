import { useState } from 'react';
import { useLocation } from 'wouter';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { counted } from '../../components/quantities.ts';
import { Refusal } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { FileDifference } from './file-difference.tsx';
import { KeepChoice } from './keep-choice.tsx';
import { type ShownSource, useRemovalPlan, useRemoveSource, useSourceOptions, usualKeep } from './queries.ts';

interface RemoveSourceProps {
  readonly source: ShownSource;
  readonly onClose: () => void;
}

/** Takes a source out, after what that changes was shown. */
export function RemoveSource({ source, onClose }: RemoveSourceProps) {
  const [, navigate] = useLocation();
  const inFile = source.origin === 'file';
  const options = useSourceOptions();
  const file = options.data?.file;
  const [chosen, setChosen] = useState<'file' | 'run'>();
  // not before the file is known: taken out for this run only, the source would come back
  const usual = inFile ? options.data && usualKeep(options.data) : 'run';
  const keep = chosen ?? usual;
  const plan = useRemovalPlan(source.name, keep);
  const remove = useRemoveSource();
  return (
    <Confirm
      title={`Remove ${source.name}?`}
      action="Remove"
      sent={remove}
      refused="It was not removed"
      waits={!plan.isSuccess}
      onClose={onClose}
      onConfirm={() => {
        if (keep === undefined) return;
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
        );
      }}
    >
      <p>
        Its {counted(source.tools ?? source.operations, 'tool')} leave every client’s list at once. Calls
        under way end as they began.
      </p>
      {inFile && keep !== undefined && file !== undefined ? (
        <KeepChoice keep={keep} file={file} onChoose={setChosen} legend="Take it out" />
      ) : null}
      {plan.data?.file === undefined ? null : <FileDifference change={plan.data.file} />}
      {plan.isPending && options.error === null ? <Loading what="what that changes" rows={1} /> : null}
      <Refusal of={options} title="It is not known where it can be taken out" />
      <Refusal of={plan} title="It cannot be removed like this" />
    </Confirm>
  );
}
