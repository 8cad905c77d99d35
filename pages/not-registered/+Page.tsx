import { Notice, NoticeTitle } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';

/**
 * What a faulty form that was sent without script is answered with: the server puts one message per fault into the
 * empty list (server/http/form-answers.ts). It has no address of its own.
 */
export function Page() {
  return (
    <Notice>
      <NoticeTitle>There is a problem</NoticeTitle>
      <ul className="grid list-disc gap-2 pl-6" data-faults="" />
      <p>Go back in your browser: what you typed is still there.</p>
      <QuietLink href="/#register">Back to the form</QuietLink>
    </Notice>
  );
}
