/** A proxy that the operator named. */
export interface ProxySettings {
  /** An http or https origin. User and password in it go to the proxy only, as `Proxy-Authorization: Basic`. */
  readonly url: string;
  /**
   * Who resolves names. `here` (default): this process, and every address is checked. `proxy`: where names of the
   * internet can be resolved by the proxy only; then it alone keeps a name from leading to an internal address.
   */
  readonly resolve?: 'here' | 'proxy';
  /** Reached directly: `host`, `host:port`, an origin, or `.suffix` for a domain with all below it. */
  readonly bypass?: readonly string[];
}

/** Undefined: no http or https origin, with a user and a password or without. */
export function proxyAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
  return isOrigin && url.search === '' && url.hash === '' ? url : undefined;
}
