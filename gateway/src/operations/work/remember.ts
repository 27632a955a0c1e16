/** `make`, asked once for each key; beyond `most` keys all are forgotten. */
export function remember<T, K = string>(most: number, make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (made.size >= most) made.clear();
    made.set(key, value);
    return value;
  };
}
