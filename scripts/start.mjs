import { ensureBuild } from './lib/ensure-build.mjs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { become, currentNode, fail, inRoot } from './lib/run.mjs'

ensureInstall()
if ((await ensureBuild()) !== 0) fail('La construction de l’application web a échoué\u00a0: voir ci-dessus.')
const before = ['--import', new URL('../apps/server/src/resolve-once.ts', import.meta.url).href]
await become(currentNode(), [...before, inRoot('apps/server/src/main.ts'), ...process.argv.slice(2)])
