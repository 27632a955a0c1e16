import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The gateway serves what is built here; `npm run dev` forwards its API to a gateway on the usual port. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../gateway/console',
    emptyOutDir: true,
    target: 'es2022',
    // the policy of the page allows no inline code and no data: fonts or scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://127.0.0.1:8787' },
  },
});
