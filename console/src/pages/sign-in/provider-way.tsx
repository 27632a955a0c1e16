import { ButtonLink } from '../../components/button.tsx';
import { wayBack } from './way-back.ts';

interface ProviderWayProps {
  /** What people call it. */
  readonly name: string;
}

/** Leaves the console for the identity provider, which sends the browser back to where the person was. */
export function ProviderWay({ name }: ProviderWayProps) {
  const back = wayBack(location.search, location.origin);
  return (
    <>
      <p>You come back here afterwards. What you may do is what your team allows you.</p>
      <div>
        <ButtonLink variant="primary" href={`/sign-in/provider?back=${encodeURIComponent(back)}`}>
          Sign in with {name}
        </ButtonLink>
      </div>
    </>
  );
}
