/** Every fact of site.config.ts, at the lengths that operators write, so that the sentences appear that depend on one. */
export const ALL_FACTS = {
  VITE_OPERATOR: 'The Road Forward Foundation for Neuromuscular Research, Inc.',
  VITE_OPERATOR_ADDRESS: '1200 North Lakeshore Avenue, Suite 450, Springfield, IL 62701, USA',
  VITE_FUNDER: 'the Road Forward Foundation and gifts from families',
  VITE_OVERSIGHT: 'Springfield Central Research Review Board, approval number 2026-0412',
  VITE_PHONE: '+1 (555) 010-0199',
  VITE_MIN_AGE: '18',
  VITE_GUARDIANS: 'on',
  VITE_COUNTRY: 'US',
  VITE_COST: 'free',
  VITE_SIGN_UP_MINUTES: '10',
  VITE_LAW: 'HIPAA, the US law that protects the privacy of health records',
  VITE_LAW_CONFIRMED_BY: 'Ana Ruiz Castillo, privacy officer of Wayfield Health',
  VITE_CLINICS_URL: 'https://portal.example/hospitals-clinics-and-labs',
  VITE_REVIEWED_ON: '2026-11-20',
  VITE_REVIEWER: 'Dr. Elena Marchetti, pediatric neurologist',
  VITE_TRANSLATION_REVIEWER: 'Lucía Fernández Ortega',
};
