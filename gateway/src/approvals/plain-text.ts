/**
 * Text of others for a person who decides by it: nothing that moves the cursor, hides characters or turns the
 * direction of writing. Longer than `most` characters is cut.
 */
export function plainText(text: string, most = 500): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}
