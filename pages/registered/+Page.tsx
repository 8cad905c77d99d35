import { RegisterSuccess } from '#components/register-success.tsx';
import { SiteHeader } from '#components/site-header.tsx';

/** What a form that was sent without script is answered with; the server sends it, it has no address of its own. */
export function Page() {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="wrap lost">
        <div className="lost-card grid justify-items-start gap-6 bg-card">
          <RegisterSuccess level="h1" />
          <a className="button-quiet" href="/">
            Back to the start
          </a>
        </div>
      </main>
    </>
  );
}
