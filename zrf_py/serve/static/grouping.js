// Grouping of items by a key.

/** Map each key to the list of its items, in their order; `keyOf` returns the key of an item. */
export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
