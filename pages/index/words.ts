/** Words that the page and the leaflet share. */
import { site } from 'virtual:site';
import { withArticle } from '#contract/with-article.ts';

export const AUDIENCE = 'For families living with spinal muscular atrophy (SMA)';

export const HEADLINE = ['Many records.', 'One road forward.'];

export const PURPOSE = `${withArticle(site.productName, 'The')} is a nationwide patient data initiative. Link your health records from different providers in one private space. See gaps in your care. Share data for research, if you choose.`;

export const SIGN_UP = `You sign up with ${site.partnerName}, our partner.`;

export const STEPS = {
  connect: {
    title: 'Connect your records',
    text: 'Choose your hospitals, clinics and labs. Their records come together in your private space.',
  },
  insight: {
    title: 'Get personalized insights',
    text: 'See what your records say as a whole. Spot gaps in your care, and studies that may fit you.',
  },
  research: {
    title: 'Drive research forward',
    text: 'Choose to share your data with research. What you live with every day helps to answer questions for everyone.',
  },
};
