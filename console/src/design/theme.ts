export type Theme = 'system' | 'light' | 'dark';

const KEY = 'toolcrib-theme';

/** What the person chose in this browser; `system` where nothing was, or storage is closed. */
export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // closed storage: it counts until the page is left
  }
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}
