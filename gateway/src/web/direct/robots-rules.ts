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
  return parse(location, unencoded(text)).isAllowed(unencoded(url), product) !== false;
}

/** Before the comparison, what need not be encoded is not (RFC 9309 §2.2.2): `/%73ecret` is `/secret`. */
function unencoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
  });
}
