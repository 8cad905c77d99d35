/**
 * The server's answers to a registration that it cannot take, in Spanish. The English ones are in
 * the server's code.
 */
export const registerAnswers = {
  validation_failed: 'Revise los campos marcados.',
  /** @param seconds until the next attempt may succeed */
  rate_limited: (seconds: number) =>
    `Hay demasiados envíos desde esta dirección. Intente de nuevo en ${seconds} s.`,
  unavailable: 'No pudimos guardar su inscripción. Intente de nuevo.',
  cross_site: 'Este formulario solo se puede enviar desde una página de este sitio.',
  too_large: 'El texto es demasiado largo.',
  /** For every other error. */
  other: 'Algo salió mal. Intente de nuevo.',
};
