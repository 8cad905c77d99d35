import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { Illustration } from '#components/illustration.tsx';
import { Island } from '#components/island.tsx';
import {
  HIDDEN_ONCE_REGISTERED,
  UNSEEN_ONCE_REGISTERED,
} from '#components/islands/register-form/once-registered.ts';
import { RegisterForm } from '#components/islands/register-form/register-form.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { FORM } from '#words/form.ts';
import { LANDING } from '#words/landing.ts';

export function Closing() {
  const { closing, footer, join } = useWords(LANDING);
  const form = useWords(FORM);
  const path = usePath();
  return (
    <Section
      id="register"
      title={closing.title}
      intro={closing.intro}
      ground="call"
      {...(site.registerForm && { className: 'group', headClassName: UNSEEN_ONCE_REGISTERED })}
    >
      <div
        className={`relative -ml-rail pt-12 pl-rail ${site.registerForm ? HIDDEN_ONCE_REGISTERED : ''}`.trim()}
      >
        <SignalLine shape="hook" className="top-0 left-line h-21 w-[calc(var(--rail)-var(--x))]" />
        <CtaLink cta="closing">{join}</CtaLink>
        <p className="mt-6 print:hidden">
          <a className="inline-flex min-h-11 items-center font-bold text-ink" href={path('/help/')}>
            {footer.help}
          </a>
        </p>
      </div>
      {/* With the form in it, the band has no room for the drawing. */}
      {site.registerForm ? (
        <Island name="register-form">
          <RegisterForm words={form} />
        </Island>
      ) : (
        <Illustration
          name="closing"
          className="mt-14 -mb-pad w-[calc(100%+var(--gutter))] max-w-none lg:absolute lg:-right-bleed lg:-bottom-pad lg:-z-1 lg:m-0 lg:w-[min(58vw,54rem)]"
        />
      )}
    </Section>
  );
}
