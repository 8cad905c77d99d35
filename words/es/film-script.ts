/**
 * The film's script in Spanish: captions and descriptions. The pictures keep their few English words, so the captions say what
 * these words say.
 */
import { SCENES, type Scene, type SceneName } from '../en/film-script.ts';

const WORDS: Record<SceneName, Pick<Scene, 'captions' | 'seen'>> = {
  scattered: {
    captions: [
      {
        from: 0.5,
        to: 5.3,
        text: 'Vivir con atrofia muscular espinal (AME)\ntrae muchas citas, pruebas y notas.',
      },
      { from: 5.5, to: 8.9, text: 'Cada lugar guarda una parte\nde su historia.' },
    ],
    seen: 'Dibujado con tinta sobre papel cálido: una carta, carpetas, tubos de laboratorio, un teléfono y la puerta de una clínica. De cada cosa sale un hilo. Los hilos se enredan.',
  },
  carried: {
    captions: [
      { from: 9.1, to: 11.7, text: 'Nadie ve el conjunto.' },
      { from: 11.9, to: 15.4, text: 'Usted lo lleva de puerta en puerta,\ny eso cansa.' },
    ],
    seen: 'Una persona en silla de ruedas llega y se detiene ante el enredo.',
  },
  gathered: {
    captions: [
      {
        from: 15.8,
        to: 19.8,
        text: 'Esta iniciativa reúne sus expedientes\nen un espacio privado.',
      },
      { from: 20, to: 23.3, text: 'Su historia pasa a ser\nun solo camino.' },
    ],
    seen: 'Los hilos se sueltan y forman un solo camino con marcas claras. La persona sigue por él.',
  },
  connect: {
    captions: [
      { from: 23.6, to: 26.95, text: 'Paso 1: elija sus clínicas,\nhospitales y laboratorios.' },
      { from: 27.05, to: 29.45, text: 'Sus expedientes se juntan.' },
    ],
    seen: 'Junto al camino, el número 1. Se unen los hilos de unas carpetas y de unos tubos de laboratorio.',
  },
  insight: {
    captions: [
      { from: 29.6, to: 32.4, text: 'Paso 2: vea qué dicen\nsus expedientes juntos.' },
      { from: 32.5, to: 35.9, text: 'Vea qué puede faltar\ny qué estudios podrían servirle.' },
    ],
    seen: 'Número 2. Un teléfono en el brazo de una silla muestra una línea, y un círculo marca un hueco en ella.',
  },
  research: {
    captions: [
      { from: 36.1, to: 39.35, text: 'Paso 3: si quiere, comparta\ndatos para investigar.' },
      { from: 39.45, to: 42.4, text: 'Puede ayudar a responder\npreguntas sobre la AME.' },
    ],
    seen: 'Número 3. Casas lejanas entre sí se unen con líneas, como estrellas. Una segunda persona viene por el camino.',
  },
  privacy: {
    captions: [
      {
        from: 42.55,
        to: 46.15,
        text: 'Sus datos se cifran con una clave.\nUsted decide qué comparte.',
      },
      { from: 46.2, to: 48.45, text: 'Puede borrar su cuenta\ncuando quiera.' },
    ],
    seen: 'Sobre un fondo verde oscuro, un hilo lleva a una puerta, y su llave cuelga del mismo hilo.',
  },
  closing: {
    captions: [
      { from: 48.6, to: 50.9, text: 'Usted decide qué expedientes reúne.' },
      {
        from: 51,
        to: 54.9,
        text: 'Si quiere participar, pulse\n“Unirme a la iniciativa”.',
      },
    ],
    seen: 'El sol está sobre la colina. Personas a pie y en silla de ruedas van juntas por el camino.',
  },
};

/** The film's scenes with their captions and descriptions in Spanish. */
export const SPANISH_SCENES: readonly Scene[] = SCENES.map((scene) => ({
  ...scene,
  ...WORDS[scene.name],
}));
