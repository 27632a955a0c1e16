/** Makes something when it is first asked for. */
export interface Once<T> {
  (): Promise<T>;
  /** Undefined until somebody asked. */
  readonly made: Promise<T> | undefined;
}

/** Made by the first caller, shared by all. */
export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return Object.defineProperty(get, 'made', { get: () => made }) as Once<T>;
}
