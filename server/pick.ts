/** @returns the values of these names; `absent` in place of a missing one */
export function pick<Name extends string, From extends { [name in Name]?: unknown }, Absent>(
  from: From,
  names: readonly Name[],
  absent: Absent,
) {
  const picked = {} as { [name in Name]: NonNullable<From[name]> | Absent };
  for (const name of names) picked[name] = from[name] ?? (absent as never);
  return picked;
}
