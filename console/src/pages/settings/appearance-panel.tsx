import { useState } from 'react';
import { areSingleKeysOn, setSingleKeys } from '../../app/single-keys.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { NotifyButton } from '../../components/notify-button.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../../design/theme.ts';
import styles from './settings.module.css';

const THEMES: ReadonlyArray<readonly [Theme, string]> = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** What this browser alone keeps. */
export function AppearancePanel() {
  const [theme, setTheme] = useState(chosenTheme);
  const [singleKeys, setShownSingleKeys] = useState(areSingleKeysOn);
  return (
    <Panel title="This browser">
      <Parts>
        <fieldset>
          <legend className={styles['legend']}>Appearance</legend>
          <div className={styles['choices']}>
            {THEMES.map(([value, label]) => (
              <label key={value} className={styles['choice']}>
                <input
                  type="radio"
                  name="theme"
                  value={value}
                  checked={theme === value}
                  onChange={() => {
                    chooseTheme(value);
                    setTheme(value);
                  }}
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className={styles['row']}>
          <p className={styles['grow']}>
            <strong>Notifications.</strong>{' '}
            <span className={styles['soft']}>A message on the desktop when a call waits for a person.</span>
          </p>
          <NotifyButton />
        </div>
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={({ target }) => {
              setSingleKeys(target.checked);
              setShownSingleKeys(target.checked);
            }}
          />
          Single letters act on a page; ? lists them
        </label>
      </Parts>
    </Panel>
  );
}
