/** Descriptions are wrapped beside their options down to so many columns. */
export const HELP_LAYOUT = { minWidthToWrap: 16 };
