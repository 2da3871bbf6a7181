/** Of places in order, how many at the beginning pass: found by halving. */
export function countWhile(length: number, passes: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
