/**
 * On which side of opening, cut and balance the places of an order lie, and which places orders that follow one
 * another may have together. Pure arithmetic.
 */
import type { Place, TimingItem } from './timing-question.ts';

export function isAmbiguous({ places }: TimingItem): boolean {
  return places.some(isOut) && !places.every(isOut);
}

/** Not among the movements between the opening and the balance. */
export function isOut(place: Place): boolean {
  return place === 'after' || place === 'opening';
}

export function isOutside({ places }: TimingItem): boolean {
  return places.every(isOut);
}

export function isAfter({ places }: TimingItem): boolean {
  return places.every((place) => place === 'after');
}

/** Of those that may lie after the balance. */
export function bitsOf(ambiguousItems: readonly TimingItem[]): Map<string, number> {
  return new Map(
    ambiguousItems.flatMap((item, at) => (outsidePlace(item) === 'after' ? [[item.key, 1 << at]] : [])),
  );
}

/** Inside the balance, the side of the cut on which the books have it; what they lack is before it first of all. */
export function insidePlace({ places, bookedSide }: TimingItem): Place {
  const inside = places.filter((place) => !isOut(place));
  const wanted: Place = bookedSide === 'after' ? 'between' : 'before';
  return inside.includes(wanted) ? wanted : (inside[0] ?? 'between');
}

export function outsidePlace({ places }: TimingItem): Place {
  return places.includes('opening') ? 'opening' : 'after';
}

/** A settlement or refund in the balance has its transfer in the balance; one in the opening has it in the opening. */
export function orderRule(
  items: readonly TimingItem[],
  ambiguousItems: readonly TimingItem[],
): (outside: number) => boolean {
  const bitOf = bitsOf(ambiguousItems);
  const alwaysOut = new Set(items.filter(isAfter).map(({ key }) => key));
  const isOpeningKept = openingRule(items, ambiguousItems);
  const rules = items.flatMap(({ key, places, notBeforeItem: first }) => {
    if (first === undefined || alwaysOut.has(key)) return [];
    const later = places.includes('after') ? (bitOf.get(key) ?? 0) : 0;
    const earlier = alwaysOut.has(first) ? -1 : (bitOf.get(first) ?? 0);
    return earlier === 0 ? [] : [{ later, earlier }];
  });
  return (outside) =>
    isOpeningKept(outside) &&
    rules.every(({ later, earlier }) => {
      const isLaterOut = later !== 0 && (outside & later) !== 0;
      const isEarlierOut = earlier === -1 || (outside & earlier) !== 0;
      return isLaterOut || !isEarlierOut;
    });
}

function openingRule(
  items: readonly TimingItem[],
  ambiguousItems: readonly TimingItem[],
): (outside: number) => boolean {
  const bits = new Map(
    ambiguousItems.flatMap((item, at) => (outsidePlace(item) === 'opening' ? [[item.key, 1 << at]] : [])),
  );
  const since = new Set(items.flatMap(({ key, places }) => (places.includes('opening') ? [] : [key])));
  const rules = [...bits].flatMap(([key, later]) => {
    const first = items.find((item) => item.key === key)?.notBeforeItem ?? '';
    const earlier = since.has(first) ? 0 : bits.get(first);
    return earlier === undefined ? [] : [{ later, earlier }];
  });
  return (outside) =>
    rules.every(({ later, earlier }) => (outside & later) === 0 || (outside & earlier) !== 0);
}

/** A settlement or refund before the cut has its transfer before it as well. */
export function followsItsTransfer(
  { key, notBeforeItem }: TimingItem,
  places: ReadonlyMap<string, Place>,
): boolean {
  return (
    notBeforeItem === undefined || places.get(notBeforeItem) !== 'between' || places.get(key) !== 'before'
  );
}
