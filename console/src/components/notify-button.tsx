import { turnNotificationsOff, turnNotificationsOn, useNotifying } from '../app/notifications.ts';
import { Button } from './button.tsx';
import { say } from './states/said.tsx';

/** Desktop notifications, on request. */
export function NotifyButton() {
  const state = useNotifying();
  if (state === 'unsupported') return null;
  // in words: a button that is off says why to nobody who cannot point at it
  if (state === 'blocked') return <span>This browser blocks notifications of this address.</span>;
  if (state === 'off') return <Button onClick={() => void turnNotificationsOn()}>Notify me</Button>;
  return (
    <Button
      onClick={() => {
        turnNotificationsOff();
        say('Notifications are off');
      }}
    >
      Stop notifying
    </Button>
  );
}
