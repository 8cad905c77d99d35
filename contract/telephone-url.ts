/** Returns the link that calls a number, as visitors dial it: `+1 (555) 010-0199` is `tel:+15550100199`. */
export const telephoneUrl = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;
