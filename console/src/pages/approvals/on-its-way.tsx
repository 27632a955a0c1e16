import { useEffect, useState } from 'react';
import { useSay } from '../../components/states/said.tsx';
import styles from './approvals.module.css';

/** So long an answer may take before it is missed, milliseconds. */
const MISSED_MS = 1_000;

/** While a decision is being sent: where that takes its time, that it goes on is seen and said. */
export function OnItsWay() {
  const [missed, setMissed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMissed(true), MISSED_MS);
    return () => clearTimeout(timer);
  }, []);
  useSay(missed ? 'The decision is being sent' : undefined);
  return missed ? <span className={styles['aside']}>being sent …</span> : null;
}
