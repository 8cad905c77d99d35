/** The words of the mail after a registration in English. The subject does not name the illness. */
import type { BuiltSite } from '#contract/built-site.schema.ts';

export const mail = ({ productName, partnerName }: BuiltSite['mail']) => ({
  subject: 'Your registration: next steps',
  greeting: 'Hello,',
  opening: `welcome to the ${productName}. These are your next steps.`,
  account: `Create your account with ${partnerName}`,
  connect: 'Connect your health records, one provider after the other.',
  share: 'See them together in one private place, and choose what you share with research.',
  forget: (address: string) =>
    `You did not register, or want to be forgotten? Write to ${address}: we delete your entry.`,
  privacy: 'How we treat your data',
});

export type MailWords = ReturnType<typeof mail>;
