import { CaptureStub } from '#components/capture-stub.tsx';
import { Notice, NoticeTitle } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { LostDrawing } from '#illustrations/scenes-middle.tsx';

export function Page() {
  return (
    <>
      {/* It also puts the `ref` into the links to the landing page. */}
      <CaptureStub />
      <Notice drawing={<LostDrawing />}>
        <NoticeTitle>404 Page Not Found</NoticeTitle>
        <p className="text-lede">Did you forget to add the page to the router?</p>
        <QuietLink href="/">Back to the start</QuietLink>
      </Notice>
    </>
  );
}
