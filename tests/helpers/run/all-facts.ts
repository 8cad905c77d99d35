/** The partner's links, which site.json does not have until there is a portal. */
export const PARTNER_LINKS = {
  privacyUrl: 'https://portal.example/privacy',
  termsUrl: 'https://portal.example/terms',
};

/** Every fact of site.json, so that the sentences appear that depend on one. */
export const ALL_FACTS = {
  operator: 'Road Forward Foundation',
  operatorAddress: '1 Main Street, Springfield',
  funder: { en: 'Road Forward Foundation', es: 'Road Forward Foundation' },
  oversight: { en: 'Springfield Board, number 12-345', es: 'Springfield Board, número 12-345' },
  phone: '+1 555 010 0199',
  minAge: 18,
  guardians: true,
  country: 'US',
  cost: 'free',
  signUpMinutes: 10,
  law: { en: 'HIPAA', es: 'HIPAA' },
  lawConfirmedBy: { en: 'Ana Ruiz, privacy officer', es: 'Ana Ruiz, delegada de privacidad' },
  forecastSource: 'UK CF Registry, 2024',
  forecastUrl: 'https://registry.example/2024',
  clinicsUrl: 'https://portal.example/clinics',
  reviewedOn: '2026-01-31',
  reviewer: { en: 'Ana Ruiz, neurologist', es: 'Ana Ruiz, neuróloga' },
  translationReviewer: 'Ana Ruiz',
};

/** A site whose operator has set no fact. */
export const NO_FACTS = Object.fromEntries(Object.keys(ALL_FACTS).map((fact) => [fact, null]));

/** Every fact at lengths that operators write. */
export const LONG_FACTS = {
  ...ALL_FACTS,
  operator: 'The Road Forward Foundation for Neuromuscular Research, Inc.',
  operatorAddress: '1200 North Lakeshore Avenue, Suite 450, Springfield, IL 62701, USA',
  funder: {
    en: 'the Road Forward Foundation and gifts from families',
    es: 'la fundación Road Forward y de donativos de familias',
  },
  oversight: {
    en: 'Springfield Central Research Review Board, approval number 2026-0412',
    es: 'Springfield Central Research Review Board, aprobación número 2026-0412',
  },
  phone: '+1 (555) 010-0199',
  law: {
    en: 'HIPAA, the US law that protects the privacy of health records',
    es: 'HIPAA, la ley de EE. UU. sobre la privacidad médica',
  },
  lawConfirmedBy: {
    en: 'Ana Ruiz Castillo, privacy officer of Wayfield Health',
    es: 'Ana Ruiz Castillo, delegada de privacidad de Wayfield Health',
  },
  clinicsUrl: 'https://portal.example/hospitals-clinics-and-labs',
  reviewer: {
    en: 'Dr. Elena Marchetti, pediatric neurologist',
    es: 'la Dra. Elena Marchetti, neuróloga pediátrica',
  },
};
