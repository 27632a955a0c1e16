export interface RobotsQuestion {
  /** Address of the robots.txt. */
  readonly location: string;
  readonly text: string;
  readonly url: string;
  /** Product token of the robot. */
  readonly product: string;
}

type ParseRobots = (
  location: string,
  text: string,
) => { isAllowed(url: string, product: string): boolean | undefined };

/** Does this robots.txt let the robot read the address? RFC 9309 §2.2.2: the longest rule that fits decides. */
export async function allowedBy({ location, text, url, product }: RobotsQuestion): Promise<boolean> {
  // its types describe another kind of module than it is
  const { default: parse } = (await import('robots-parser')) as unknown as { default: ParseRobots };
  const rules = parse(location, namedOnce(unencoded(text), product));
  return rules.isAllowed(unencoded(url), product) !== false;
}

/**
 * The same groups, each naming every robot once, and those that are not asked about by one name: a rule is kept for each
 * name of its group, so that 16 kB of repeated names stopped the process for seconds.
 */
function namedOnce(text: string, product: string): string {
  const asked = new Set(['', '*', product.toLowerCase()]);
  const named = new Set<string>();
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [member = '', value] = line.split('#', 1)[0]!.split(/:(.*)/s, 2);
    if (value === undefined || member.trim() === '') continue;
    if (member.trim().toLowerCase() === 'user-agent') {
      // without its version: `robot/1.0`
      const name = value.toLowerCase().split('/', 1)[0]!.trim();
      const known = asked.has(name) ? name : 'other';
      if (!named.has(known)) lines.push(`User-agent: ${known}`);
      named.add(known);
    } else {
      named.clear();
      lines.push(line);
    }
  }
  return lines.join('\n');
}

/** Before the comparison, what need not be encoded is not (RFC 9309 §2.2.2): `/%73ecret` is `/secret`. */
function unencoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
  });
}
