/** A colour of the tokens as it is now: a canvas understands no variables and no `light-dark()`. */
export function themeColour(element: HTMLElement, token: string): string {
  const before = element.style.color;
  element.style.color = `var(${token})`;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}
