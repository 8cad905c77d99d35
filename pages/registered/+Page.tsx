import { Notice } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { RegisterSuccess } from '#components/register-success.tsx';

/** The server's answer to a form without script. The page has no URL of its own. */
export function Page() {
  return (
    <Notice>
      <RegisterSuccess level="h1" />
      <QuietLink href="/">Back to the start</QuietLink>
    </Notice>
  );
}
