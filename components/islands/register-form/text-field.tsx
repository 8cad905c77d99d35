/** A field of the registration form, with its label and its error message. */
import type { ComponentProps } from 'react';
import type { RegisterField } from '#contract/register.schema.ts';

export const idOf = (field: RegisterField) => `register-${field}`;

export type FieldProps = ComponentProps<'input'> & {
  name: RegisterField;
  label: string;
  error: string | undefined;
};

/** A text field with its label, its error message, and what else is about it. */
export function TextField({ name, label, error, children, ...input }: FieldProps) {
  return (
    <div className="grid content-start gap-2">
      <label className="font-bold" htmlFor={idOf(name)}>
        {label}
      </label>
      <input
        className="min-h-13 w-full rounded-control border-fine border-line bg-card px-3.5 py-2 text-ink aria-invalid:border-bold aria-invalid:border-error"
        dir="auto"
        {...connect(name, error)}
        {...input}
      />
      <FieldError name={name}>{error}</FieldError>
      {children}
    </div>
  );
}

/** Attributes that connect a control with its field and its error message. */
export const connect = (name: RegisterField, error: string | undefined) => ({
  name,
  id: idOf(name),
  ...(error && { 'aria-invalid': true, 'aria-describedby': `${idOf(name)}-error` }),
});

export function FieldError({
  name,
  children,
}: {
  name: RegisterField;
  children: string | undefined;
}) {
  if (!children) return null;
  return (
    <p className="font-bold text-error" id={`${idOf(name)}-error`}>
      {children}
    </p>
  );
}
