import { FirstAnswers } from '#components/help/first-answers.tsx';
import { HelpPageList } from '#components/help/page-list.tsx';
import { HelpPage } from '#components/help-page.tsx';

export const Page = () => (
  <HelpPage page="hub" headLink={<FirstAnswers />}>
    <HelpPageList />
  </HelpPage>
);
