import { useEffect, useState } from 'react';
import { useIsAway } from '../api/gateway-away.ts';
import { Notice } from '../components/states/notice.tsx';
import { say } from '../components/states/said.tsx';
import { setAway } from './page-title.ts';
import styles from './shell.module.css';

/** While the gateway is away, above every page and in the title of the tab: since when, and what that means. */
export function Away() {
  return useIsAway() ? <AwayNotice /> : null;
}

function AwayNotice() {
  const [since] = useState(() => new Date());
  useEffect(() => {
    setAway(true);
    say('The gateway does not answer');
    return () => {
      setAway(false);
      say('The gateway answers again');
    };
  }, []);
  return (
    <div className={styles['away']}>
      <Notice tone="warn" title="The gateway does not answer">
        What is shown here may be old: nothing was heard since{' '}
        <time dateTime={since.toISOString()}>{since.toLocaleString()}</time>. This page tries again by itself.
      </Notice>
    </div>
  );
}
