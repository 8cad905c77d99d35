import { SiteHeader } from '#components/site-header.tsx';

/**
 * What a faulty form that was sent without script is answered with: the server puts one message per fault into the
 * empty list. It has no address of its own.
 */
export function Page() {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="wrap lost">
        <div className="lost-card grid justify-items-start gap-6 bg-card">
          <h1>There is a problem</h1>
          <ul data-faults="" />
          <p>Go back in your browser: what you typed is still there.</p>
          <a className="button-quiet" href="/#register">
            Back to the form
          </a>
        </div>
      </main>
    </>
  );
}
