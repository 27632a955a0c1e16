import { type FormEvent, useState } from 'react';
import type { AccessMatrix } from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Checkboxes } from '../../components/forms/checkboxes.tsx';
import { IdentifierField } from '../../components/forms/identifier-field.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import styles from './access.module.css';
import { subjectOf } from './edits.ts';
import type { Editing } from './level-editor.tsx';
import { levelWords, scopeWords } from './level-words.ts';

interface OrganisationPanelProps extends Editing {
  readonly matrix: AccessMatrix;
  readonly onClose: () => void;
}

/** The organisation as a whole: every level that is set, and its features. */
export function OrganisationPanel({ matrix, levels, changes, edit, undo, onClose }: OrganisationPanelProps) {
  const [name, setName] = useState('');
  const edited = changes.flatMap((change) => (change.kind === 'feature' ? [change] : []));
  const names = [...new Set([...matrix.features, ...edited.map(({ feature }) => feature)])].sort();
  const isOn = (feature: string) =>
    edited.find((one) => one.feature === feature)?.enabled ?? matrix.features.includes(feature);
  const change = (feature: string, enabled: boolean) => {
    const one = { kind: 'feature', feature, enabled } as const;
    if (matrix.features.includes(feature) === enabled) undo(subjectOf(one));
    else edit(one);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') change(name.trim(), true);
    setName('');
  };
  const own = levels.filter(({ user }) => user === null);
  return (
    <Dialog title="Organisation" onClose={onClose}>
      <Parts>
        <section className={styles['part']} aria-label="Levels">
          <h3>Levels that are set</h3>
          {own.length === 0 ? (
            <p className={styles['soft']}>None: nobody may use anything.</p>
          ) : (
            <Facts of={own.map(({ scope, level }) => [scopeWords(scope), levelWords(level)] as const)} />
          )}
          <p className={styles['soft']}>A level is edited in the cell of its source.</p>
        </section>
        <fieldset className={styles['editor']} disabled={!matrix.manages}>
          <legend>Features</legend>
          {names.length === 0 ? <p className={styles['soft']}>None is switched on.</p> : null}
          <Checkboxes
            what="features"
            names={names}
            chosen={names.filter(isOn)}
            onChange={(on, feature) => change(feature, on.includes(feature))}
          />
          {matrix.manages ? (
            <form className={styles['inline']} onSubmit={add}>
              <IdentifierField label="Another feature" value={name} onChange={setName} />
              <Button type="submit">Switch on</Button>
            </form>
          ) : null}
        </fieldset>
      </Parts>
    </Dialog>
  );
}
