import { site } from 'virtual:site';

/** What the form is for, and how it differs from the call to action above it. */
export function FormIntro() {
  return (
    <div className="grid gap-2">
      <h3 className="text-h3">Or hear from us by email</h3>
      <p>
        The button above opens {site.partnerName}, where you create your account. This form does not
        create one. You send it to us, and we email you the next steps.
      </p>
    </div>
  );
}

/** Comes before the checkbox, because visitors read terms before they agree to them. Not in its label, because a press on the label ticks the box. */
export function TermsLink() {
  return (
    <a className="inline-block py-2" href={site.termsUrl} target="_blank" rel="noopener">
      Read the terms and conditions <span>(opens in new tab)</span>
    </a>
  );
}
