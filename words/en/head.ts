/** The words in the head of each page in English: titles, and what a shared link shows. */
export const head = {
  /**
   * Neutral on purpose, like the share image, because a link in a chat must not reveal a diagnosis.
   */
  headline: 'Many records. One road forward.',
  /** For search engines, in which a person asks for the illness by its name. */
  description:
    'Spinal muscular atrophy (SMA): bring health records from different providers into one private space.',
  /** Before the description of a help page that does not name the illness. */
  illness: 'Spinal muscular atrophy (SMA)',
  /** For chats. */
  shared:
    'Bring health records from different providers into one private space. See what they say together, and help research if you choose.',
  shareImageAlt: 'Many loose threads lead into one road.',
  /** The language with its region, as social networks name it. */
  locale: 'en_US',
  titles: {
    '/': 'Spinal muscular atrophy: your records, on one road',
    '/registered': 'You are registered',
    '/not-registered': 'Error: There is a problem',
    '/create-account': 'This site has no portal yet',
  } as Record<string, string>,
  notFound: '404 Page Not Found',
};

export type HeadWords = typeof head;
