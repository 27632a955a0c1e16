/** `a, b, …`: a list may have thousands, and a sentence names some. */
export function firstFew(names: readonly string[], most: number, separator = ', '): string {
  const told = names.slice(0, most);
  return (names.length > most ? [...told, '…'] : told).join(separator);
}
