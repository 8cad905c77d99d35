/**
 * The facts that a family asks for, with what the law of the US or good practice says about each. Sources as read in November
 * 2026. None of this is legal advice.
 */
import type { Facts } from '#site.config.ts';

interface Fact {
  /** The variable's name in site.config.ts. */
  variable: string;
  fact: keyof Facts;
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
    variable: 'VITE_OPERATOR',
    fact: 'operator',
    tells: 'the organization that runs the site',
    because: `${ASKED}; ${OMISSION}`,
  },
  {
    variable: 'VITE_OPERATOR_ADDRESS',
    fact: 'operatorAddress',
    tells: 'its postal address',
    because: 'good practice: visitors can check that it exists',
  },
  {
    variable: 'VITE_FUNDER',
    fact: 'funder',
    tells: 'the organizations that pay',
    because: `${ASKED}; ${OMISSION}`,
  },
  {
    variable: 'VITE_OVERSIGHT',
    fact: 'oversight',
    tells: 'the ethics committee (IRB)',
    because: COMMON_RULE,
  },
  {
    variable: 'VITE_PHONE',
    fact: 'phone',
    tells: 'a telephone number',
    because: 'good practice: for many, speaking is easier than typing',
  },
  {
    variable: 'VITE_MIN_AGE',
    fact: 'minAge',
    tells: 'the age from which a person joins alone',
    because: CHILDREN,
  },
  {
    variable: 'VITE_GUARDIANS',
    fact: 'guardians',
    tells: 'whether a parent or guardian may join for a person',
    because: CHILDREN,
  },
  {
    variable: 'VITE_COUNTRY',
    fact: 'country',
    tells: 'the country',
    because: 'the page says "nationwide"',
  },
  { variable: 'VITE_COST', fact: 'cost', tells: 'whether joining is free', because: OMISSION },
  {
    variable: 'VITE_SIGN_UP_MINUTES',
    fact: 'signUpMinutes',
    tells: 'the minutes that an account takes',
    because: 'good practice: people with SMA plan their strength',
  },
  { variable: 'VITE_LAW', fact: 'law', tells: 'the law that the service follows', because: HIPAA },
  {
    variable: 'VITE_LAW_CONFIRMED_BY',
    fact: 'lawConfirmedBy',
    tells: 'the person who confirms that',
    because: HIPAA,
  },
  {
    variable: 'VITE_CLINICS_URL',
    fact: 'clinicsUrl',
    tells: 'the clinics that can be linked',
    because: 'good practice: without theirs, visitors would sign up for nothing',
  },
  {
    variable: 'VITE_REVIEWED_ON',
    fact: 'reviewedOn',
    tells: 'the day of the last review',
    because: 'good practice for health texts (CDC Clear Communication Index)',
  },
  {
    variable: 'VITE_REVIEWER',
    fact: 'reviewer',
    tells: 'the reviewer and the role',
    because: 'good practice for health texts (CDC Clear Communication Index)',
  },
  {
    variable: 'VITE_TRANSLATION_REVIEWER',
    fact: 'translationReviewer',
    tells: 'the native speaker who read the Spanish texts',
    because: `translation to be reviewed by native speakers; ${TRANSLATION}`,
  },
];

/** A law without the person who confirms it, or the other way round. The pages show neither. Null: both are set, or none. */
export function halfSetLaw({ law, lawConfirmedBy }: Facts): string | null {
  if ((law === null) === (lawConfirmedBy === null)) return null;
  const [isSet, isMissing] =
    law === null ? ['VITE_LAW_CONFIRMED_BY', 'VITE_LAW'] : ['VITE_LAW', 'VITE_LAW_CONFIRMED_BY'];
  return `${isSet} is set without ${isMissing}: the pages show both or neither.`;
}

/** Returns the facts that are not set, in the order of site.config.ts. */
export const openFacts = (facts: Facts): Fact[] => FACTS.filter(({ fact }) => facts[fact] === null);
