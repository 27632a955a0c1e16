import { useSession } from '../../api/session.ts';
import { Field } from '../forms/field.tsx';
import type { People } from './use-people.ts';

interface PersonChoiceProps {
  readonly people: People;
  /** Id; empty: whoever looks. */
  readonly chosen: string;
  readonly onChoose: (person: string) => void;
}

/** Whose view is looked at, for those who may look at another one than their own; nothing to choose elsewhere. */
export function PersonChoice({ people, chosen, onChoose }: PersonChoiceProps) {
  const { data: session } = useSession();
  const may = session?.can.operate === true || session?.can.administer === true;
  const others = people.sorted.filter(({ id }) => id !== session?.principal?.id);
  if (!may || others.length === 0) return null;
  return (
    <Field label="As seen by">
      <select value={chosen} onChange={({ target }) => onChoose(target.value)}>
        <option value="">You</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
