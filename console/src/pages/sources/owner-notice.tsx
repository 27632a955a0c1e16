import { useSession } from '../../api/session.ts';
import { Notice } from '../../components/states/notice.tsx';

/** Sources run programs and define tools: only the owner changes them. Said to those who could become it. */
export function OwnerNotice() {
  const session = useSession().data;
  if (session === undefined || session.can.own || !session.can.operate) return null;
  return (
    <Notice title="Sources are changed by the owner of this machine">
      <p>
        Run <code>npx toolcrib console</code> on the machine of the gateway and open its link: then sources
        can be added, changed and removed here, and changed definitions accepted.
      </p>
    </Notice>
  );
}
