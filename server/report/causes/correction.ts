/**
 * Corrects p-values for the number of comparisons (weighted Bonferroni). Each day the engine
 * compares many slices, measures and windows with what is usual, and some of them differ by chance.
 * Each p-value is multiplied by the number of comparisons. Every family of slices (all refs, all
 * devices) has the same share of the error, so that 25 clinics do not make a fault on phones harder
 * to see.
 */

/**
 * Family-wise error rate of a day: the probability that a day without a change sends an alert. The
 * windows of a month share most of their days, so a quiet year has fewer false alerts than 365
 * times this. Chosen by `npm run bench -- causes`, which counts false and missed alerts of invented
 * sites.
 */
export const SIGNIFICANCE_LEVEL = 0.003;
/**
 * The whole site has three times the share of the error of another family, because most faults
 * concern all visitors.
 */
const ERROR_SHARES_OF_SITE = 3;
/**
 * Number of shares into which the error is divided: six dimensions and six pairs of them for click
 * rates, five dimensions for visits, and the whole site for both measures.
 */
const ERROR_SHARES = 6 + 6 + 5 + 2 * ERROR_SHARES_OF_SITE;
/**
 * The five windows (1 to 28 days) overlap, so they count as about three independent comparisons.
 */
const INDEPENDENT_WINDOWS = 3;

/**
 * Computes the factor by which the p-value of one slice is multiplied.
 *
 * @param family names of the slice's dimensions, joined by commas; empty for the whole site
 * @param members number of slices in this family
 * @returns natural logarithm of the factor, which is added to the logarithm of the p-value
 */
export const logCorrectionOf = (family: string, members: number): number =>
  Math.log(
    (INDEPENDENT_WINDOWS * ERROR_SHARES * members) / (family === '' ? ERROR_SHARES_OF_SITE : 1),
  );
