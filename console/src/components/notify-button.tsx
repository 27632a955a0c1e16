import { turnNotificationsOff, turnNotificationsOn, useNotifying } from '../app/notifications.ts';
import { Button } from './button.tsx';

/** Desktop notifications, on request. */
export function NotifyButton() {
  const state = useNotifying();
  if (state === 'unsupported') return null;
  const on = state === 'on';
  return (
    <Button
      variant="quiet"
      disabled={state === 'blocked'}
      title={state === 'blocked' ? 'This browser blocks notifications of this address.' : undefined}
      onClick={() => (on ? turnNotificationsOff() : void turnNotificationsOn())}
    >
      {on ? 'Notifications on' : 'Notify me'}
    </Button>
  );
}
