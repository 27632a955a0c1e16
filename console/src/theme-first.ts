// Before anything is drawn, so that a dark page does not flash white.
import { applyTheme, chosenTheme } from './design/theme.ts';

applyTheme(chosenTheme());
