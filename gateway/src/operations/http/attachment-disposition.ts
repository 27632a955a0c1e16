/** `attachment` with a plain name for everybody, and the real one (RFC 6266 §4.3, RFC 8187) where it has more than letters. */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\w. ()-]/g, '_').slice(0, 150);
  if (plain === name) return `attachment; filename="${plain}"`;
  const whole = [...name.toWellFormed()].slice(0, 150).join('');
  const exact = encodeURIComponent(whole).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
