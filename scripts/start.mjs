import { ensureBuild } from './lib/ensure-build.mjs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { become, currentNode, fail, inRoot } from './lib/run.mjs'

ensureInstall()
if ((await ensureBuild()) !== 0) fail('La construction de l’application web a échoué\u00a0: voir ci-dessus.')
const before = ['--import', inRoot('apps/server/src/resolve-once.ts')]
await become(currentNode(), [...before, inRoot('apps/server/src/main.ts'), ...process.argv.slice(2)])
