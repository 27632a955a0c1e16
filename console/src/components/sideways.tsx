import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './panel.module.css';

/** What is wider than its place scrolls sideways, and then by keyboard too: it takes the focus while it is wider. */
export function Sideways({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [wider, setWider] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setWider(element.scrollWidth > element.clientWidth);
    const sizes = new ResizeObserver(look);
    const watch = () => {
      sizes.disconnect();
      sizes.observe(element);
      for (const child of element.children) sizes.observe(child);
    };
    watch();
    const parts = new MutationObserver(watch);
    parts.observe(element, { childList: true });
    return () => {
      sizes.disconnect();
      parts.disconnect();
    };
  }, []);
  return (
    <div ref={box} className={styles['flush']} {...(wider ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}
