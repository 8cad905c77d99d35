/**
 * Whether one typing error may have made one word of the other: a letter too many, missing or
 * wrong, or two that are swapped.
 */
export function isOneTypoApart(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [one, two] = [a.slice(same), b.slice(same)];
  return (
    one.slice(1) === two.slice(1) ||
    one.slice(1) === two ||
    one === two.slice(1) ||
    (one[0] === two[1] && one[1] === two[0] && one.slice(2) === two.slice(2))
  );
}
