import('./islands.ts').then((m) => m.default());
