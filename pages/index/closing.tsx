import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { Illustration } from '#components/illustration.tsx';
import { Island } from '#components/island.tsx';
import { RegisterForm } from '#components/islands/register-form/register-form.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';

/**
 * Classes for a site with the registration form. In wide windows the form begins in the film's
 * column and reaches the edge of the section, so that the drawing's road leads behind it. Narrower
 * ones show no drawing before the registration. registered.css has the rules after it.
 */
const WITH_FORM = {
  section: {
    columns:
      'lg:grid lg:min-h-56 lg:grid-cols-[calc(38%+0.38*var(--rail))_1fr] lg:grid-rows-[auto_1fr]',
    headClassName: 'lg:pr-8',
  },
  drawing:
    'hidden max-w-none lg:absolute lg:-bottom-pad lg:-left-gutter lg:-z-1 lg:block lg:w-[calc(38%+var(--rail)+var(--gutter)+2px)]',
};
/** Classes for a site without the registration form. */
const WITHOUT_FORM = {
  section: {},
  drawing:
    'mt-8 -mb-pad w-[calc(100%+var(--gutter))] max-w-none lg:absolute lg:-right-bleed lg:-bottom-pad lg:-z-1 lg:m-0 lg:w-[min(58vw,54rem)]',
};

export function Closing() {
  const { closing, footer, join } = useWords(LANDING);
  const path = usePath();
  const layout = site.registerForm ? WITH_FORM : WITHOUT_FORM;
  return (
    <Section
      id="register"
      title={closing.title}
      intro={closing.intro}
      isLandmark
      ground="call"
      {...layout.section}
    >
      <div className="relative -ml-rail pt-8 pl-rail lg:pt-12">
        <SignalLine
          shape="hook"
          className="top-0 left-line h-17 lg:h-21 w-[calc(var(--rail)-var(--x))]"
        />
        <CtaLink cta="closing">{join}</CtaLink>
        <p className="mt-4 print:hidden">
          <a className="inline-flex min-h-11 items-center font-bold text-ink" href={path('/help/')}>
            {footer.help}
          </a>
        </p>
      </div>
      {site.registerForm && (
        <Island
          name="register-form"
          className="mt-12 max-w-form lg:mt-0 lg:-mb-pad lg:max-w-none lg:self-end lg:[grid-area:1/2/3]"
        >
          <RegisterForm />
        </Island>
      )}
      <Illustration name="closing" className={layout.drawing} />
    </Section>
  );
}
