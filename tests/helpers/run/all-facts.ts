/** Every fact of site.config.ts, so that the sentences appear that depend on one. */
export const ALL_FACTS = {
  VITE_OPERATOR: 'Road Forward Foundation',
  VITE_OPERATOR_ADDRESS: '1 Main Street, Springfield',
  VITE_FUNDER: 'Road Forward Foundation',
  VITE_OVERSIGHT: 'Springfield Board, number 12-345',
  VITE_PHONE: '+1 555 010 0199',
  VITE_MIN_AGE: '18',
  VITE_GUARDIANS: 'on',
  VITE_COUNTRY: 'US',
  VITE_COST: 'free',
  VITE_SIGN_UP_MINUTES: '10',
  VITE_LAW: 'HIPAA',
  VITE_LAW_CONFIRMED_BY: 'Ana Ruiz, privacy officer',
  VITE_CLINICS_URL: 'https://portal.example/clinics',
  VITE_REVIEWED_ON: '2026-01-31',
  VITE_REVIEWER: 'Ana Ruiz, neurologist',
  VITE_TRANSLATION_REVIEWER: 'Ana Ruiz',
};

/** The same at lengths that operators write. */
export const LONG_FACTS = {
  ...ALL_FACTS,
  VITE_OPERATOR: 'The Road Forward Foundation for Neuromuscular Research, Inc.',
  VITE_OPERATOR_ADDRESS: '1200 North Lakeshore Avenue, Suite 450, Springfield, IL 62701, USA',
  VITE_FUNDER: 'the Road Forward Foundation and gifts from families',
  VITE_OVERSIGHT: 'Springfield Central Research Review Board, approval number 2026-0412',
  VITE_PHONE: '+1 (555) 010-0199',
  VITE_LAW: 'HIPAA, the US law that protects the privacy of health records',
  VITE_LAW_CONFIRMED_BY: 'Ana Ruiz Castillo, privacy officer of Wayfield Health',
  VITE_CLINICS_URL: 'https://portal.example/hospitals-clinics-and-labs',
  VITE_REVIEWER: 'Dr. Elena Marchetti, pediatric neurologist',
};
