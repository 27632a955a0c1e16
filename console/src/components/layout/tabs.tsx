import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: ReactNode;
}

interface TabsProps<Name extends string> {
  /** What they are parts of, for screen readers. */
  readonly label: string;
  readonly tabs: ReadonlyArray<Tab<Name>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Content of the chosen one. */
  readonly children: ReactNode;
}

/** Parts of one thing, one at a time; arrow keys, Home and End go between them (ARIA Authoring Practices, tabs). */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const go = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ name }) => name === chosen);
    const ways: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const way = ways[event.key];
    if (way === undefined) return;
    // the page does not scroll along
    event.preventDefault();
    const next = (way + tabs.length) % tabs.length;
    onChoose(tabs[next]!.name);
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={styles['list']} onKeyDown={go}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
