/** The help pages' script is the landing page's. As a file of their own it would share a chunk with that one, which the landing page would load in a second round. */
import '../index/+client.ts';
