import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { Island } from '#components/island.tsx';
import { RegisterForm } from '#components/register-form.tsx';
import { Section } from '#components/section.tsx';
import { SignalRun } from '#components/signal-line.tsx';
import { Spot } from '#components/spot.tsx';

export function Closing() {
  return (
    <Section id="register" title="Ready to Drive Change?" className="closing">
      <SignalRun />
      <div className="closing-words">
        <p className="lede">It starts with one record: yours.</p>
        <CtaLink cta="closing" />
      </div>
      <Spot name="closing" className="closing-art" />
      {site.registerForm && (
        <Island name="register-form">
          <RegisterForm />
        </Island>
      )}
    </Section>
  );
}
