import type { ComponentProps } from 'react';
import { Button } from '../../components/button.tsx';

/** One of a few things to choose from, all of which show. */
export function ChoiceButton({
  chosen,
  ...rest
}: ComponentProps<typeof Button> & { readonly chosen: boolean }) {
  return <Button aria-pressed={chosen} {...rest} />;
}
