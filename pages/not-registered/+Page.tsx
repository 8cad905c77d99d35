import { Notice, NoticeTitle } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';

/**
 * The server's answer to an invalid form without script. The server inserts one message per fault into the empty list
 * (server/http/form-answers.ts). The page has no URL of its own.
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
