/**
 * The words of the registration form in English. Its messages, and the words about its end, are the
 * specification's.
 */
import { REGISTER_MESSAGES } from '#contract/register-messages.ts';
import type { Site } from '#site.config.ts';

export const form = (site: Site) => ({
  title: 'Or get the next steps by email',
  purpose: `The button “Join the Drive” opens the site of ${site.partnerName}, where you create your account. This form does not create one. You send it to us, and we email you the next steps. The terms below are for your account there.`,
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email address',
  /** Below an address with a domain that is probably mistyped. @param domain the probable one */
  didYouMean: (domain: string) => `Did you mean ${domain}?`,
  takeDomain: (domain: string) => `Yes, use ${domain}`,
  keepDomain: 'No, keep my address',
  trap: 'Message (leave this empty)',
  smaType: 'SMA type (optional)',
  /** The words of each value that the form sends. */
  smaTypes: {
    'Type 1': 'Type 1',
    'Type 2': 'Type 2',
    'Type 3': 'Type 3',
    'Type 4': 'Type 4',
    Other: 'Other',
    '': 'Prefer not to say',
  },
  terms: `Read the terms and conditions of ${site.partnerName}`,
  /** The fate of the entries. /help/privacy/ names the days. */
  entries:
    'We keep your entries encrypted, use them only to email you, and delete them when you ask.',
  more: 'What this site records',
  newTab: '(opens in new tab)',
  agree: 'I agree to the terms and conditions',
  register: 'Register',
  sending: 'Sending…',
  /** Before the document's title, while the form has errors. */
  error: 'Error:',
  problem: 'There is a problem',
  messages: REGISTER_MESSAGES,
  fallback: 'Something went wrong. Please try again.',
  failed: 'Registration Failed',
  tryAgain: 'Try again',
  successful: {
    title: 'Registration Successful!',
    description: `Welcome to the ${site.productName}. Check your email for next steps.`,
  },
  welcome: `Welcome to the ${site.productName}!`,
  mailFollows: 'An email with next steps will follow. Look in your inbox or your spam folder.',
});

export type FormWords = ReturnType<typeof form>;
