/** Makes something when it is first asked for. */
export interface Lazy<T> {
  (): Promise<T>;
  /** Undefined until somebody asked. */
  readonly made: Promise<T> | undefined;
}

/** Made when first asked for, shared by all. What could not be made is not kept: whoever asks later has it tried again. */
export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    if (made !== undefined) return made;
    const making = make();
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  };
  return Object.defineProperty(get, 'made', { get: () => made }) as Lazy<T>;
}
