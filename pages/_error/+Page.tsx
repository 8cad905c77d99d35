import siteLinksInline from 'virtual:inline/site-links';
import { InlineScript } from '#components/inline-script.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Notice, NoticeTitle } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { LostDrawing } from '#illustrations/scenes-middle.tsx';
import { LANDING } from '#words/landing.ts';

export function Page() {
  const { home } = useWords(LANDING);
  const path = usePath();
  return (
    <>
      <InlineScript code={siteLinksInline} />
      <Notice drawing={<LostDrawing />}>
        <NoticeTitle>404 Page Not Found</NoticeTitle>
        <p className="text-lede">Did you forget to add the page to the router?</p>
        <QuietLink href={path('/')}>{home}</QuietLink>
      </Notice>
    </>
  );
}
