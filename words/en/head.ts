/** The words in the head of each page in English: titles, and what a shared link shows. */
export const head = {
  /** Neutral on purpose, like the share image, because a link in a chat must not reveal a diagnosis. */
  headline: 'Many records. One road forward.',
  description:
    'Bring health records from all your providers into one private space. See what they say together, and help research if you choose.',
  shareImageAlt: 'A group of people travel along one road that many loose threads lead into.',
  /** The language with its region, as social networks name it. */
  locale: 'en_US',
  titles: {
    '/': 'Your health records, on one road',
    '/registered': 'You are registered',
    '/not-registered': 'Error: There is a problem',
    '/create-account': 'This site has no portal yet',
  } as Record<string, string>,
  notFound: '404 Page Not Found',
};

export type HeadWords = typeof head;
