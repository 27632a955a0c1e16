import type { Access } from '../../../gateway/src/operations/index.ts';
import { Badge, type Tone } from './badge.tsx';

const TONES: Readonly<Record<Access, Tone>> = {
  read: 'neutral',
  write: 'info',
  delete: 'warn',
  dangerous: 'bad',
};

/** Of what kind an operation is: the more it may do, the louder. */
export function AccessBadge({ access }: { readonly access: Access }) {
  return (
    <Badge tone={TONES[access]} plain>
      {access}
    </Badge>
  );
}
