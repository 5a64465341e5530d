import { serve } from './protocol/serve.ts';
import { createProvider } from './provider.ts';

await serve(createProvider());
process.exit();
