import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { counted } from '../../components/quantities.ts';
import { Refusal } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type SkillImport, useImportSkill, useSourceOptions } from './queries.ts';
import styles from './sources.module.css';

interface SkillImportDialogProps {
  readonly file: File;
  readonly onClose: () => void;
}

/** A skill that was dropped: a stranger's package, so it is imported by a click and not by the drop. */
export function SkillImportDialog({ file, onClose }: SkillImportDialogProps) {
  const options = useSourceOptions();
  const run = useImportSkill();
  const homeless = options.data?.skills.length === 0;
  return (
    <Dialog
      title="Import a skill"
      onClose={onClose}
      actions={
        run.isSuccess ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              disabled={homeless}
              waits={run.isPending || options.isPending}
              onClick={() => run.mutate(file)}
            >
              {run.isPending ? 'Importing…' : 'Import'}
            </Button>
          </>
        )
      }
    >
      <Parts>
        {run.isSuccess ? null : (
          <p>
            <strong>{visibleText(file.name)}</strong> goes into the first folder of the skills. What its tools
            may do, a person agrees to when they are first called.
          </p>
        )}
        {homeless ? (
          <Notice tone="warn" title="This gateway has no folder of skills">
            <p>Add a source of the kind “Skills” first, then drop the skill again.</p>
          </Notice>
        ) : null}
        {run.isPending ? <Loading what="what becomes of it" rows={2} /> : null}
        <Refusal of={run} title="It was not imported" />
        {run.data === undefined ? null : <Imported outcome={run.data} />}
      </Parts>
    </Dialog>
  );
}

function Imported({ outcome }: { readonly outcome: SkillImport }) {
  return (
    <div role="status">
      <ul className={styles['findings']} aria-label="Imported skills">
        {outcome.skills.map(({ id, refused, compiled_ok: tools, invalid, shadowed }) => (
          <li key={id} className={styles['finding']}>
            <Badge tone={refused === undefined ? 'good' : 'bad'}>
              {refused === undefined ? 'Imported' : 'Refused'}
            </Badge>
            <div className={styles['findingText']}>
              <p>
                <strong>{visibleText(id)}</strong>:{' '}
                {refused === undefined ? counted(tools, 'tool') : visibleText(refused.message)}
              </p>
              {invalid.map(({ place, error }) => (
                <p key={place} className={styles['soft']}>
                  <code>{visibleText(place)}</code> {visibleText(error)}
                </p>
              ))}
              {shadowed.length === 0 ? null : (
                <p className={styles['soft']}>
                  Another source has these names: {visibleText(shadowed.join(', '))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {(outcome.findings ?? []).map((finding) => (
        <p key={finding} className={styles['soft']}>
          {visibleText(finding)}
        </p>
      ))}
    </div>
  );
}
