/**
 * Copies the named properties of an object.
 *
 * @param absent used for missing, null and undefined ones
 */
export function pick<Name extends string, From extends { [name in Name]?: unknown }, Absent>(
  from: From,
  names: readonly Name[],
  absent: Absent,
) {
  const picked = {} as { [name in Name]: NonNullable<From[name]> | Absent };
  for (const name of names) picked[name] = from[name] ?? (absent as never);
  return picked;
}
