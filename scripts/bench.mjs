import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ensureBuild } from './lib/ensure-build.mjs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { currentNode, inRoot, onCurrentNode, root, run } from './lib/run.mjs'

ensureInstall()
await onCurrentNode()

/** Of some only: `npm run bench -- growth fairness`. */
const wanted = process.argv.slice(2)
const folders = [
  inRoot('apps/server/bench'),
  ...readdirSync(inRoot('packages')).map((name) => inRoot('packages', name, 'bench')),
]
const files = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.includes(path.basename(file, '.bench.ts')))
  .sort()

// An hour by itself (soak.bench.ts); among the others only whether it runs.
process.env.MINUTES ??= '2'
let failed = files.length < Math.max(1, wanted.length)
if (failed) console.error(wanted.length ? `Mesure inconnue parmi : ${wanted.join(', ')}.` : 'Aucune mesure trouvée.')
// It asks for the pages of the site, as they are built.
if (files.some((file) => path.basename(file) === 'pages.bench.ts') && (await ensureBuild()) !== 0) process.exit(1)
for (const file of files) {
  console.log(`\n${path.relative(root, file)}`)
  if ((await run(currentNode(), [file])) !== 0) failed = true
}
process.exit(failed ? 1 : 0)
