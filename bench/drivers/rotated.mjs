/** Another one begins each round, so that none always follows the same neighbour; rounds that do not count are negative. */
export function rotated(list, by) {
  return list.map((_, index) => list.at((index + by) % list.length));
}
