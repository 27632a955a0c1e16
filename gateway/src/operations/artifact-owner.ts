/** Whose an artifact is, beside the operator's. */
export interface ArtifactOwner {
  readonly user: string;
  readonly organisation?: string;
  /** Of a credential that is limited to these sources. */
  readonly sources?: readonly string[];
}

/** As it stands with an artifact: two organisations may each have a user of that id. */
export function ownerText({ user, organisation, sources }: ArtifactOwner): string {
  const owner = [organisation ?? null, user];
  return JSON.stringify(sources === undefined ? owner : [...owner, [...new Set(sources)].sort()]);
}

/** How the texts of this user's limited credentials begin. */
export function limitedOwners(owner: string): string {
  return `${owner.slice(0, -1)},`;
}

/** Undefined for a text that names no user. */
export function readOwner(text: string): ArtifactOwner | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(read)) return undefined;
  const [organisation, user] = read as unknown[];
  if (typeof user !== 'string') return undefined;
  return typeof organisation === 'string' ? { user, organisation } : { user };
}
