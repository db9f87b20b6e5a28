import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { COMMIT_ID } from '../server/src/version.ts'
import { chunks, comesFirst } from './scripts/chunks.ts'
import { devPages } from './scripts/dev-pages.ts'
import { leanZod } from './scripts/lean-zod.ts'
import { namedImports } from './scripts/named-imports.ts'
import { wholeParts } from './scripts/whole-parts.ts'

const api = process.env.VOISOL_API ?? 'http://127.0.0.1:3001'
const proxied = ['/api/', '/healthz', '/readyz', '/metrics', '/dev/mail', '/portal.webmanifest']

/** What comes with the shells: a screen need not name it among what is fetched with it. Their files say which they are. */
const COMMON = /^(rolldown-runtime|base|common|zod|query|signed-in|shells|format)$/
const SHELL = /\/(shells\/(admin|portal|site)|product)\.tsx$/
const isCommon = (file: string) => /^assets\/(c-.{7}\.js$|index-)/.test(file)
const isShell = (file: string) => /^assets\/[cs]-.{7}\.js$/.test(file)
type Chunk = { name: string; moduleIds: readonly string[]; facadeModuleId?: string | null | undefined }
const markOf = ({ name, moduleIds, facadeModuleId }: Chunk) =>
  SHELL.test(facadeModuleId ?? '') ? 's-' : COMMON.test(name) || comesFirst(moduleIds) ? 'c-' : ''

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [namedImports(import.meta.dirname), react(), tailwind(), devPages(), leanZod(), wholeParts()],
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
    modulePreload: {
      // Only a hint: a browser that does not know it fetches the same a little later.
      polyfill: false,
      resolveDependencies: (file, wanted) => wanted.filter((name) => isShell(file) || !isCommon(name)),
    },
    chunkSizeWarningLimit: 900,
    rolldownOptions: isSsrBuild
      ? { input: 'src/entry.server.tsx' }
      : // The entry names every chunk: what each is called by would weigh a kilobyte of every first page. The manifest knows it.
        {
          input: 'index.html',
          output: { codeSplitting: chunks, chunkFileNames: (chunk) => `assets/${markOf(chunk)}[hash:7].js` },
        },
  },
  define: {
    'import.meta.env.VOISOL_COMMIT': JSON.stringify(COMMIT_ID ?? ''),
    // What renders is built for that: its React is the fast one, whatever the server is started as.
    ...(isSsrBuild && { 'process.env.NODE_ENV': JSON.stringify('production') }),
  },
  ...(isSsrBuild && { ssr: { noExternal: true as const } }),
}))
