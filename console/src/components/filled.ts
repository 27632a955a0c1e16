/** What has a value: an empty text is no filter, and stands in no address. */
export function filled(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
