/**
 * Normalises the utm values of a campaign, so that one campaign has one spelling. E-mail addresses
 * and telephone numbers are not kept.
 */
import { decodeFully, LEADING_SIGNS, UP_TO_LAST_LETTER } from './ref.ts';

/** Upper bound in characters, before and after the normalisation. */
export const MAX_CAMPAIGN = 64;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}]/gu;
/** A run of spaces and other signs that are neither letters nor digits. It becomes one hyphen. */
const SIGNS_AND_SPACES = /[^\p{L}\p{N}\p{M}._~]+/gu;

/**
 * Folds a value: in lower case, in composed form (NFKC), and with a hyphen for spaces and other
 * signs. Folding is idempotent.
 *
 * @param raw the value from the URL, decoded once
 * @returns an empty text if the value is not kept: it has an e-mail address or a telephone number,
 * has no letter and no digit, or is too long
 */
export function foldCampaign(raw: string): string {
  const plain = decodeFully(raw).normalize('NFKC').replace(INVISIBLE, '');
  if (raw.length > MAX_CAMPAIGN || AT_SIGN.test(plain) || hasTelephone(plain)) return '';
  const lower = plain.toLowerCase().normalize('NFKC');
  // Signs around the value are not kept, because a link may end a sentence: `spring.` is `spring`.
  const signs = lower.replace(SIGNS_AND_SPACES, '-').replace(LEADING_SIGNS, '');
  const [folded = ''] = UP_TO_LAST_LETTER.exec(signs) ?? [];
  // Checked again, because the folded text may look like a telephone number.
  return folded.length > MAX_CAMPAIGN || hasTelephone(folded) ? '' : folded;
}

/** The @ of an e-mail address, or `(at)`, which people write to hide an address from programs. */
const AT_SIGN = /@|[([{<] ?at ?[)\]}>]/i;

const DIGIT = /\p{Nd}/u;
/** Splits a text into runs of digits and runs of other characters. */
const DIGITS_OR_OTHERS = /\p{Nd}+|\P{Nd}+/gu;
/**
 * A run of digits and of the characters that people write between the digits of a telephone number.
 */
const DIGITS_AND_SEPARATORS = /[\p{Nd}\s+.·•()[\]\p{Pd}]+/gu;
/**
 * A separator that only telephone numbers have. Hyphens also separate a date's digits, and digits
 * without a separator are an advertiser's id.
 */
const TELEPHONE_SEPARATOR = /[+\s.·•()[\]]/;
/**
 * A number like 555-123-4567, whose only separators are hyphens, or underscores if a program has
 * replaced them.
 */
const AMERICAN_NUMBER = /(?<!\p{Nd})\p{Nd}{3}[\p{Pd}_]\p{Nd}{3}[\p{Pd}_]\p{Nd}{4}(?!\p{Nd})/u;
/**
 * A number with a country's code, like `+49 (0)151/1234567` and `+1_415_555_0100`. Only here may a
 * slash or an underscore separate digits, because without a plus sign a date has them. At the
 * beginning of a URL parameter, a plus sign is decoded to a space.
 */
const INTERNATIONAL_NUMBER = /(?:\+|^ )(?:[\s.·•()[\]\p{Pd}_/]*\p{Nd}){7,15}(?!\p{Nd})/u;
/** Bounds for the number of digits in a telephone number. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/** Whether a text contains a telephone number: groups of digits that follow each other. */
function hasTelephone(text: string): boolean {
  if (AMERICAN_NUMBER.test(text) || INTERNATIONAL_NUMBER.test(text)) return true;
  return [...text.matchAll(DIGITS_AND_SEPARATORS)].some(({ 0: run, index }) => {
    // The runs alternate between digits and other characters.
    const parts = run.match(DIGITS_OR_OTHERS) ?? [];
    const groups = parts.flatMap((digits, i) => {
      const before = parts[i - 1] ?? '';
      const hasPlus = before.endsWith('+') || (index === 0 && i === 1 && before === ' ');
      const isSeparated = TELEPHONE_SEPARATOR.test(before);
      return DIGIT.test(digits) ? [{ hasPlus, isSeparated, length: digits.length }] : [];
    });
    return groups.some((_, first) => beginsTelephone(groups.slice(first)));
  });
}

interface DigitGroup {
  /**
   * Whether a plus sign precedes the group. At the beginning of a URL parameter, a plus sign is
   * decoded to a space, so a space counts there.
   */
  hasPlus: boolean;
  /** Whether a separator precedes the group that only telephone numbers have. */
  isSeparated: boolean;
  /** Number of digits. */
  length: number;
}

/** Whether a telephone number begins with the first of these groups. */
function beginsTelephone([first, ...others]: DigitGroup[]): boolean {
  let isTelephone = first?.hasPlus ?? false;
  let digits = first?.length ?? 0;
  for (const { isSeparated, length } of others) {
    if (isTelephone && digits >= MIN_DIGITS && digits <= MAX_DIGITS) return true;
    isTelephone ||= isSeparated;
    digits += length;
  }
  return isTelephone && digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}
