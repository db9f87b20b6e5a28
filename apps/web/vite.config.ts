import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devPages } from './scripts/dev-pages.ts'
import { namedImports } from './scripts/named-imports.ts'

const api = process.env.VOISOL_API ?? 'http://127.0.0.1:3001'
const proxied = ['/api/', '/healthz', '/readyz', '/metrics', '/dev/mail']

/** What is there before any screen is asked for: a screen need not name it among what is fetched with it. */
const COMMON =
  /^assets\/(jsx-runtime|hooks|lib|utils|call|queries|session|store|cx|createLucideIcon|button|format|toast)-/

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [namedImports(import.meta.dirname), react(), tailwind(), devPages()],
  appType: 'custom',
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: api, xfwd: false }])),
  },
  build: {
    outDir: isSsrBuild ? 'build/server' : 'build/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    target: 'es2022',
    modulePreload: { resolveDependencies: (_file, wanted) => wanted.filter((name) => !COMMON.test(name)) },
    chunkSizeWarningLimit: 900,
    rolldownOptions: isSsrBuild ? { input: 'src/entry.server.tsx' } : { input: 'index.html' },
  },
  // What renders is built for that: its React is the fast one, whatever the server is started as.
  ...(isSsrBuild && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
}))
