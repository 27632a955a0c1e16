import { useEffect, useState } from 'react';
import { gatewayNow } from '../../api/gateway-clock.ts';
import styles from './approvals.module.css';

const HURRY_MS = 60_000;

/** How long a question stays open: `9:41 left`. Said to a screen reader when asked, not every second. */
export function TimeLeft({ until }: { readonly until: number }) {
  const [left, setLeft] = useState(() => until - gatewayNow());
  useEffect(() => {
    setLeft(until - gatewayNow());
    const timer = setInterval(() => setLeft(until - gatewayNow()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <time
      className={styles['left']}
      data-hurry={left < HURRY_MS}
      dateTime={new Date(until).toISOString()}
      title={`Until ${new Date(until).toLocaleString()}`}
    >
      {left <= 0 ? 'time is over' : `${clock(left)} left`}
    </time>
  );
}

/** `9:41`, `1:03:00`. */
function clock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? part : String(part).padStart(2, '0'))).join(':');
}
