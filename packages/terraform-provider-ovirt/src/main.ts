import { serve } from './protocol/serve.ts';
import { createProvider } from './provider.ts';

void serve(createProvider()).then(() => process.exit());
