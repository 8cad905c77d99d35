/**
 * The facts that a family asks for, with what the law of the US or good practice says about each. Sources as read in November
 * 2026. None of this is legal advice.
 */
import { LANGUAGES, type Language } from '#contract/language.ts';
import type { FactsByLanguage } from '#site.config.ts';

interface Fact {
  fact: keyof FactsByLanguage;
  /** The information that visitors get from it. */
  tells: string;
  /** What law or good practice says about it. */
  because: string;
}

const ASKED = 'people ask this first before they share health data (Baines 2024, Hutchings 2020)';
const OMISSION =
  'leaving out what a person needs to know to decide can be deceptive (FTC Act, section 5, 15 U.S.C. 45)';
const HIPAA =
  'HIPAA does not cover every keeper of health records, and the FTC has acted against false claims of it. Name only what a lawyer has confirmed';
const COMMON_RULE =
  'research that a federal agency pays for or conducts needs an ethics committee and informed consent (Common Rule, 45 CFR 46)';
const CHILDREN =
  'such research with children needs the permission of a parent or guardian, and often the child’s assent (45 CFR 46.408)';
const TRANSLATION =
  'a health program with federal money may not rely on a machine’s translation of important texts alone (45 CFR 92.201)';

const FACTS: Fact[] = [
  {
    fact: 'operator',
    tells: 'the organization that runs the site',
    because: `${ASKED}; ${OMISSION}`,
  },
  {
    fact: 'operatorAddress',
    tells: 'its postal address',
    because: 'good practice: visitors can check that it exists',
  },
  {
    fact: 'funder',
    tells: 'the organizations that pay',
    because: `${ASKED}; ${OMISSION}`,
  },
  {
    fact: 'oversight',
    tells: 'the ethics committee (IRB)',
    because: COMMON_RULE,
  },
  {
    fact: 'phone',
    tells: 'a telephone number',
    because: 'good practice: for many, speaking is easier than typing',
  },
  {
    fact: 'minAge',
    tells: 'the age from which a person joins alone',
    because: CHILDREN,
  },
  {
    fact: 'guardians',
    tells: 'whether a parent or guardian may join for a person',
    because: CHILDREN,
  },
  {
    fact: 'country',
    tells: 'the country',
    because: 'the page says "nationwide"',
  },
  { fact: 'cost', tells: 'whether joining is free', because: OMISSION },
  {
    fact: 'signUpMinutes',
    tells: 'the minutes that an account takes',
    because: 'good practice: people with SMA plan their strength',
  },
  { fact: 'law', tells: 'the law that the service follows', because: HIPAA },
  {
    fact: 'lawConfirmedBy',
    tells: 'the person who confirms that',
    because: HIPAA,
  },
  {
    fact: 'forecastSource',
    tells: 'who says "over 65 years"',
    because: 'a figure about health needs a source that says it (FTC Act, section 5, 15 U.S.C. 45)',
  },
  {
    fact: 'forecastUrl',
    tells: 'where it says so',
    because: 'readers can check it',
  },
  {
    fact: 'clinicsUrl',
    tells: 'the clinics that can be linked',
    because: 'good practice: without theirs, visitors would sign up for nothing',
  },
  {
    fact: 'reviewedOn',
    tells: 'the day of the last review',
    because: 'good practice for health texts (CDC Clear Communication Index)',
  },
  {
    fact: 'reviewer',
    tells: 'the reviewer and the role',
    because: 'good practice for health texts (CDC Clear Communication Index)',
  },
  {
    fact: 'translationReviewer',
    tells: 'the native speaker who read the Spanish texts',
    because: `translation to be reviewed by native speakers; ${TRANSLATION}`,
  },
];

/** A law without the person who confirms it, or the other way round. The pages show neither. Null: both are set, or none. */
export function halfSetLaw({ law, lawConfirmedBy }: FactsByLanguage): string | null {
  if ((law === null) === (lawConfirmedBy === null)) return null;
  const [isSet, isMissing] = law === null ? ['lawConfirmedBy', 'law'] : ['law', 'lawConfirmedBy'];
  return `facts.${isSet} is set without facts.${isMissing}: the pages show both or neither.`;
}

/** Returns the facts that are not set, in the order of site.json. */
export const openFacts = (facts: FactsByLanguage): Fact[] =>
  FACTS.filter(({ fact }) => facts[fact] === null);

const NAMES: Record<Language, string> = { en: 'English', es: 'Spanish' };

/** Returns a sentence for each fact and each language in which it is missing. */
export const openTranslations = (facts: FactsByLanguage): string[] =>
  FACTS.flatMap(({ fact, tells }) => {
    const words = facts[fact];
    if (words === null || typeof words !== 'object') return [];
    const given = LANGUAGES.filter((each) => words[each] !== null).map((each) => NAMES[each]);
    return LANGUAGES.filter((each) => words[each] === null).map(
      (each) =>
        `facts.${fact}.${each}: ${tells}. The pages in ${NAMES[each]} show it in ${given.join(', ')}.`,
    );
  });
