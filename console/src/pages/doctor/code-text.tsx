/** Plain text in which `words between backticks` are code. */
export function CodeText({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // an odd number of backticks: they mean nothing
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
      <code key={index}>{part}</code>
    ) : (
      part
    ),
  );
}
