import { Confirm } from '../../components/dialogs/confirm.tsx';
import { bytes } from '../../components/quantities.ts';
import { say } from '../../components/states/said.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type Artifact, useRemoveArtifact } from './queries.ts';

interface RemoveArtifactProps {
  readonly artifact: Artifact;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

export function RemoveArtifact({ artifact: { id, name, size }, onClose, onRemoved }: RemoveArtifactProps) {
  const remove = useRemoveArtifact();
  return (
    <Confirm
      title={`Remove ${visibleText(name)}?`}
      action="Remove"
      sent={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess() {
            say(`${visibleText(name)} is removed`);
            onRemoved();
          },
        })
      }
    >
      <p>Its {bytes(size)} are gone at once, also for the call’s own client. This cannot be undone.</p>
    </Confirm>
  );
}
