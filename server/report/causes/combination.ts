/**
 * Combinations of one value for each dimension (phones, Spanish, this ref …), and the slices that
 * contain them. Equal combinations are one object (interned), so that the keys of its slices are
 * made once and not for each row.
 */

/**
 * Properties by which visits and clicks are split into slices. `cta` is the button of a click;
 * visits have no button.
 */
export const CAUSE_DIMENSIONS = ['ref', 'campaign', 'class', 'device', 'language', 'cta'] as const;
export type CauseDimension = (typeof CAUSE_DIMENSIONS)[number];
/**
 * Value of a dimension for visits without one: they came by no link of ours, or no campaign. It is
 * NONE of report/figures/selection.ts, whose SQL this file does not load.
 */
export const NONE = 'none';
/**
 * Dimensions on which the page's behaviour depends. A fault of the page may need two of their
 * values at once, such as Spanish on phones, so their pairs are slices too.
 */
const PAIRED = ['class', 'device', 'language', 'cta'] as const;

/** A part of all visits and clicks: those with one value, or with two. `{}` is the whole site. */
export type Slice = Partial<Record<CauseDimension, string>>;

/** The dimensions of every slice that the engine looks at. */
const DIMENSIONS_OF_SLICES: readonly (readonly CauseDimension[])[] = [
  [],
  ...CAUSE_DIMENSIONS.map((name) => [name]),
  ...PAIRED.flatMap((name, i) => PAIRED.slice(i + 1).map((other) => [name, other])),
];

/** Separates the parts of a key. No text of a database has this character. */
const SEPARATOR = '\0';

export interface Combination {
  /** All values of the combination. */
  slice: Slice;
  /** Keys of all slices that contain the combination, with the names of their dimensions. */
  keys: readonly { key: string; names: readonly CauseDimension[] }[];
  /** This combination with a button added, by the button's name. */
  withButton: Map<string, Combination>;
}

/** Returns a text that is the same for equal slices; empty for the whole site. */
export const keyOf = (slice: Slice): string =>
  join(
    slice,
    CAUSE_DIMENSIONS.filter((name) => slice[name] !== undefined),
  );

/** Returns a function that finds or makes the combination of a row's values, without its button. */
export function createCombinations(): (values: Slice) => Combination {
  const combinations = new Map<string, Combination>();
  return ({ cta: _, ...values }) => {
    const key = join(values, CAUSE_DIMENSIONS);
    const found =
      combinations.get(key) ?? newCombination(pickValues(values, CAUSE_DIMENSIONS.slice(0, -1)));
    combinations.set(key, found);
    return found;
  };
}

/** Finds or makes a combination with a button. Returns it unchanged if `cta` is empty. */
export function addButton(combination: Combination, cta: string): Combination {
  if (cta === '') return combination;
  const { slice, withButton } = combination;
  const found = withButton.get(cta) ?? newCombination({ ...slice, cta });
  withButton.set(cta, found);
  return found;
}

/** Returns the values of some dimensions only. */
export const pickValues = (slice: Slice, names: readonly CauseDimension[]): Slice =>
  Object.fromEntries(names.map((name) => [name, slice[name]]));

function newCombination(slice: Slice): Combination {
  const sliceDimensions = DIMENSIONS_OF_SLICES.filter((names) =>
    names.every((name) => slice[name] !== undefined),
  );
  const keys = sliceDimensions.map((names) => ({ key: join(slice, names), names }));
  return { slice, keys, withButton: new Map() };
}

function join(slice: Slice, names: readonly CauseDimension[]): string {
  return names.map((name) => `${name}=${slice[name]}`).join(SEPARATOR);
}
