/**
 * The correction for the number of looks. Each day the engine looks at many slices, measures and
 * windows, and one of them is unusual by chance. Each chance is multiplied by the number of looks
 * (Bonferroni), weighted: every family of slices has the same share of the error, so that 25
 * clinics do not make a fault on phones harder to see.
 */

/**
 * Chance of a false mail on a day, over all looks. The windows of a month share most of their days,
 * so a quiet year has fewer false mails than 365 times this. Chosen by `npm run bench -- causes`.
 */
export const ALPHA = 0.003;
/**
 * The whole site has as large a share of the error as three families, because most faults concern
 * it.
 */
const SHARES_OF_SITE = 3;
/**
 * Six dimensions and six pairs for rates, five dimensions for visits, and the whole site for both.
 */
const SHARES = 6 + 6 + 5 + 2 * SHARES_OF_SITE;
/** Windows overlap: five are about three independent looks. */
const WINDOWS = 3;

/**
 * @param family names of the slice's dimensions; empty for the whole site
 * @param members slices of the same family
 * @returns what is added to the logarithm of a chance
 */
export const correctionOf = (family: string, members: number): number =>
  Math.log((WINDOWS * SHARES * members) / (family === '' ? SHARES_OF_SITE : 1));
