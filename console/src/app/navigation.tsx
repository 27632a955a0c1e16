import { Link } from 'wouter';
import { PAGES } from './page-registry.ts';
import { useWaiting } from './page-title.ts';
import styles from './shell.module.css';

const GROUPS = [...new Set(PAGES.map(({ group }) => group))].filter((group) => group !== undefined);

interface NavigationProps {
  /** Name of the page that is shown. */
  readonly current: string;
  readonly onChosen: () => void;
}

export function Navigation({ current, onChosen }: NavigationProps) {
  const waiting = useWaiting();
  return GROUPS.map((group) => (
    <section key={group} aria-label={group}>
      <h2 className={styles['group']}>{group}</h2>
      <ul>
        {PAGES.filter((page) => page.group === group).map(({ path, label }) => {
          const name = path.split('/')[1]!;
          return (
            <li key={path}>
              <Link
                href={`/${name}`}
                className={styles['item']}
                onClick={onChosen}
                aria-current={name === current ? 'page' : undefined}
              >
                {label}
                {name === 'approvals' && waiting > 0 ? (
                  <span className={styles['count']}>
                    {waiting}
                    <span className="visually-hidden"> waiting</span>
                  </span>
                ) : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  ));
}
