import captureInline from 'virtual:inline/capture';
import { InlineScript } from '#components/inline-script.tsx';
import { SiteHeader } from '#components/site-header.tsx';
import { LostDrawing } from '#illustrations/scenes-middle.tsx';

export function Page() {
  return (
    <>
      {/* It also puts the `ref` into the ways back to the landing page. */}
      <InlineScript code={captureInline} />
      <SiteHeader />
      <main id="main" tabIndex={-1} className="wrap lost">
        <div className="lost-card grid justify-items-start gap-6 bg-card">
          <h1>404 Page Not Found</h1>
          <p className="lede">Did you forget to add the page to the router?</p>
          <a className="button-quiet" href="/">
            Back to the start
          </a>
        </div>
        <LostDrawing />
      </main>
    </>
  );
}
