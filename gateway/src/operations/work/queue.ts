/** Does work one after the other, in the order of asking; what fails keeps back nobody behind it. */
export function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(() => work());
    last = done.catch(() => undefined);
    return done;
  };
}
