/** The words of the leaflet in every language. It also has some of the landing page's. */
import { site } from 'virtual:site';
import { leaflet as en } from './en/leaflet.ts';
import { leaflet as es } from './es/leaflet.ts';

export const LEAFLET = { en: en(site), es: es(site) };
