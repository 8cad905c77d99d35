import { Notice } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { RegisterSuccess } from '#components/register-success.tsx';

/** What a form that was sent without script is answered with; the server sends it, it has no address of its own. */
export function Page() {
  return (
    <Notice>
      <RegisterSuccess level="h1" />
      <QuietLink href="/">Back to the start</QuietLink>
    </Notice>
  );
}
