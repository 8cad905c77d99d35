/**
 * Combinations of values, and the slices that they are part of. Each combination exists once, so
 * that rows of the same values share it, and its keys are made once.
 */

/**
 * `cta` is the button of a click. A visit has none, because its visitor could press each of them.
 */
export const DIMENSIONS = ['ref', 'campaign', 'class', 'device', 'language', 'cta'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
/** Value of the rows that have none: no link of ours, no campaign. */
export const NONE = 'none';
/** The page works by these values, so a fault may be in a pair of them: Spanish on phones. */
const PAIRED = ['class', 'device', 'language', 'cta'] as const;

/** Part of the rows: one value of one dimension, or of two. `{}` is the whole site. */
export type Slice = Partial<Record<Dimension, string>>;

/** The dimensions of every slice that the engine looks at. */
const SLICED: readonly (readonly Dimension[])[] = [
  [],
  ...DIMENSIONS.map((name) => [name]),
  ...PAIRED.flatMap((name, i) => PAIRED.slice(i + 1).map((other) => [name, other])),
];

/** Separates the parts of a key. No text of a database has this character. */
const SEPARATOR = '\0';

export interface Combination {
  slice: Slice;
  /** The keys of the slices that it is part of, and the names of their dimensions. */
  keys: readonly { key: string; names: readonly Dimension[] }[];
  /** The same with a button, by the button's name. */
  withButton: Map<string, Combination>;
}

export const keyOf = (slice: Slice): string =>
  join(
    slice,
    DIMENSIONS.filter((name) => slice[name] !== undefined),
  );

/** @returns a function that makes each combination once, without its button */
export function createCombinations(): (values: Slice) => Combination {
  const known = new Map<string, Combination>();
  return ({ cta: _, ...values }) => {
    const key = join(values, DIMENSIONS);
    const found = known.get(key) ?? newCombination(pick(values, DIMENSIONS.slice(0, -1)));
    known.set(key, found);
    return found;
  };
}

export function addButton(combination: Combination, cta: string): Combination {
  if (cta === '') return combination;
  const { slice, withButton } = combination;
  const found = withButton.get(cta) ?? newCombination({ ...slice, cta });
  withButton.set(cta, found);
  return found;
}

export const pick = (slice: Slice, names: readonly Dimension[]): Slice =>
  Object.fromEntries(names.map((name) => [name, slice[name]]));

function newCombination(slice: Slice): Combination {
  const own = SLICED.filter((names) => names.every((name) => slice[name] !== undefined));
  const keys = own.map((names) => ({ key: join(slice, names), names }));
  return { slice, keys, withButton: new Map() };
}

function join(slice: Slice, names: readonly Dimension[]): string {
  return names.map((name) => `${name}=${slice[name]}`).join(SEPARATOR);
}
