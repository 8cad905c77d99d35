/** Finds variables that were probably meant for this project, but have a wrong name. */
import { describeFormer } from '#contract/former-variables.ts';
import { editDistance } from '#contract/nearest-word.ts';

const PREFIXES = /^(?:VITE|POSTHOG|RATE_LIMIT|REGISTRATION|REPORT|CLICK|SMTP|MAIL|CORS)_/;
/** Shorter names are too often one letter away from another program's variable. */
const LEAST_LETTERS = 4;

/**
 * @param ours the variables that the server reads
 * @returns a sentence for each variable that nothing reads
 */
export function describeUnknown(
  env: Record<string, string | undefined>,
  ours: readonly string[],
): string[] {
  const unknown = Object.keys(env).filter((name) => env[name]?.trim() && !ours.includes(name));
  return unknown.flatMap((name) => {
    const former = describeFormer(name);
    if (former !== null) return [former];
    const meant = name.length >= LEAST_LETTERS && ours.find((one) => isNear(name, one));
    if (meant) return [`${name} is not a variable of this project. Is ${meant} meant?`];
    return PREFIXES.test(name)
      ? [`${name} is not a variable of this project. .env.example lists them all.`]
      : [];
  });
}

const isNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 1 && editDistance(a, b) === 1;
