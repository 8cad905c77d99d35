/**
 * Whether one typing error may turn one word into the other: an extra, missing or wrong letter, or
 * two swapped letters.
 */
export function isOneTypoApart(a: string, b: string): boolean {
  let commonLength = 0;
  while (commonLength < a.length && a[commonLength] === b[commonLength]) commonLength += 1;
  const [restOfA, restOfB] = [a.slice(commonLength), b.slice(commonLength)];
  return (
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB ||
    restOfA === restOfB.slice(1) ||
    (restOfA[0] === restOfB[1] &&
      restOfA[1] === restOfB[0] &&
      restOfA.slice(2) === restOfB.slice(2))
  );
}
