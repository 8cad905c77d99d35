/** The words of /es/help/accessibility/ in Spanish. */

import type { Facts, Site } from '#site.config.ts';
import type { accessibility as english } from '../../en/help/accessibility.tsx';
import { Contact } from './contact.tsx';

export const accessibility = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: '¿Puede usarlo todo el mundo?',
  lead: 'Probamos este sitio para que sirva a quien tiene poca fuerza, poca vista o poco tiempo. Aquí decimos cómo lo probamos y qué no funciona aún.',
  sections: {
    aim: {
      heading: 'La norma',
      body: (
        <>
          <p>
            Queremos cumplir las Pautas de Accesibilidad para el Contenido Web (WCAG) 2.2. Son las
            reglas más usadas en el mundo para que un sitio sirva a todos. Buscamos el nivel AA, el
            segundo de 3. También buscamos estas reglas del nivel AAA, el más estricto:
          </p>
          <ul>
            <li>
              <b>Para ver y leer:</b> buen contraste, líneas cortas, un título en cada parte,
              palabras claras y siglas explicadas.
            </li>
            <li>
              <b>Para tocar y moverse:</b> basta el teclado, los botones son grandes y siempre se ve
              dónde está usted.
            </li>
            <li>
              <b>Para estar en calma:</b> sin límite de tiempo, y sin movimiento si usted lo quita.
              Los enlaces dicen adónde van y avisan de otra pestaña.
            </li>
          </ul>
        </>
      ),
    },
    tested: {
      heading: 'Cómo lo probamos',
      body: (
        <>
          <p>
            Un programa hace las pruebas con cada versión nueva. En Chromium, la base de Chrome,
            revisa:
          </p>
          <ul>
            <li>
              las reglas de axe, un programa de prueba, en claro y oscuro, en pantallas chicas y
              grandes
            </li>
            <li>cada paso solo con el teclado, y la marca que muestra dónde está</li>
            <li>el tamaño y la distancia de todo lo que se toca</li>
            <li>la página a 4 veces su tamaño, la letra al doble y más espacio en el texto</li>
            <li>menos movimiento, más contraste y los colores que usted elija</li>
            <li>las páginas sin JavaScript y en papel</li>
            <li>la facilidad de lectura, los nombres y los títulos</li>
          </ul>
          <p>En Firefox y en WebKit, la base de Safari, hay menos pruebas.</p>
        </>
      ),
    },
    untested: {
      heading: 'Qué no hemos probado',
      body: (
        <>
          <p>Un programa no ve todos los problemas. Todavía faltan estas pruebas:</p>
          <ul>
            <li>con lectores de pantalla reales, que leen la página en voz alta</li>
            <li>con pulsadores, control con los ojos y control por voz reales</li>
            <li>con personas que viven con atrofia muscular espinal (AME) u otra discapacidad</li>
            <li>con una persona experta e independiente</li>
            <li>con personas con discapacidad intelectual, para la página fácil de leer</li>
            {!facts.translationReviewer && (
              <li>con personas que hablan español desde la niñez, para estas páginas</li>
            )}
          </ul>
        </>
      ),
    },
    limits: {
      heading: 'Qué no funciona',
      body: (
        <ul>
          <li>
            <b>El video</b> no tiene descripción hablada. No tiene sonido y lleva subtítulos.
            También puede <a href="/es/help/film/">leer sus palabras y sus imágenes</a>.
          </li>
          <li>
            <b>Los navegadores viejos</b> muestran cada palabra, pero con un diseño más simple. El
            diseño completo pide Safari 16.4, Chrome 111 o Firefox 128.
          </li>
          <li>
            <b>Sin JavaScript</b> puede leer cada página, ver el video y usar el botón. El botón
            para desactivar el conteo necesita JavaScript.
          </li>
          <li>
            <b>Las páginas de la cuenta</b> son de {site.partnerName}, nuestro socio. No las hemos
            probado.
          </li>
        </ul>
      ),
    },
    contact: {
      heading: 'Díganos qué le resulta difícil',
      body: (
        <>
          <Contact site={site} facts={facts} />
          <p>
            Diga qué página es, y qué aparato o ayuda usa. También puede pedir el texto por correo
            electrónico.
          </p>
          <p>Esta declaración es del 22 de noviembre de 2026.</p>
        </>
      ),
    },
  },
});
