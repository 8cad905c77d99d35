/**
 * Reads the values of a campaign. One campaign has one name, whatever its case and spaces. Mail
 * addresses and telephone numbers are not kept.
 */
import { decodeFully } from './ref.ts';

/** Upper bound in characters, before and after the folding. */
export const MAX_CAMPAIGN = 64;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}]/gu;
/**
 * Spaces, and signs that are neither letters nor digits, also in a row. Each row becomes a hyphen.
 */
const OTHER_SIGNS = /[^\p{L}\p{N}\p{M}._~]+/gu;
const HYPHENS_AROUND = /^-|-$/g;

/**
 * Folds a value: in lower case, composed, with a hyphen for spaces and other signs. A folded value
 * stays as it is.
 *
 * @param raw as the address has it, decoded once
 * @returns empty: the value is not kept. It has an e-mail address or a telephone number, or no
 * letter and no digit, or is too long
 */
export function foldCampaign(raw: string): string {
  const plain = decodeFully(raw).normalize('NFKC').replace(INVISIBLE, '');
  if (raw.length > MAX_CAMPAIGN || AT_SIGN.test(plain) || hasTelephone(plain)) return '';
  const lower = plain.toLowerCase().normalize('NFKC');
  const folded = lower.replace(OTHER_SIGNS, '-').replace(HYPHENS_AROUND, '');
  // Two hyphens may meet in a value that had signs at its ends.
  return folded.length > MAX_CAMPAIGN || hasTelephone(folded) ? '' : folded;
}

/** Of an e-mail address, also where somebody wrote `(at)` to hide it from programs. */
const AT_SIGN = /@|[([{<] ?at ?[)\]}>]/i;

const DIGIT = /\p{Nd}/u;
const DIGITS_OR_OTHERS = /\p{Nd}+|\P{Nd}+/gu;
/** Digits, and what people write between the digits of a telephone number. */
const DIGITS_AND_SEPARATORS = /[\p{Nd}\s+.()[\]\p{Pd}]+/gu;
/** Hyphens alone separate a date's digits too, and bare digits are an advertiser's id. */
const TELEPHONE_SEPARATOR = /[+\s.()[\]]/;
const AMERICAN_NUMBER = /(?<!\p{Nd})\p{Nd}{3}\p{Pd}\p{Nd}{3}\p{Pd}\p{Nd}{4}(?!\p{Nd})/u;
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/** Whether groups of digits that follow each other may be a telephone number. */
function hasTelephone(text: string): boolean {
  if (AMERICAN_NUMBER.test(text)) return true;
  return [...text.matchAll(DIGITS_AND_SEPARATORS)].some(({ 0: run, index }) => {
    // Digits and signs take turns.
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
  /** A plus sign at the beginning of a parameter is a space there. */
  hasPlus: boolean;
  isSeparated: boolean;
  length: number;
}

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
