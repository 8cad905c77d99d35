import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { Illustration } from '#components/illustration.tsx';
import { Island } from '#components/island.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { RegisterForm } from '#islands/register-form/register-form.tsx';

export function Closing() {
  return (
    <Section
      id="register"
      title="Ready to Drive Change?"
      intro="It starts with one record: yours."
      className="closing"
    >
      <Lined className="closing-call">
        <SignalLine shape="hook" />
        <CtaLink cta="closing" />
      </Lined>
      {/* With the form in it, the band has no room for the drawing. */}
      {site.registerForm ? (
        <Island name="register-form">
          <RegisterForm />
        </Island>
      ) : (
        <Illustration name="closing" className="closing-art" />
      )}
    </Section>
  );
}
