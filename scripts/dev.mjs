import { ensureInstall } from './lib/ensure-install.mjs'
import { currentNode, inRoot, run, withCommands } from './lib/run.mjs'

ensureInstall()
const webPort = Number(process.env.PORT ?? 3000)
const apiPort = webPort + 1
const host = process.env.HOST ?? '127.0.0.1'

const server = run(currentNode(), ['--watch', 'apps/server/src/main.ts'], {
  env: withCommands({ HOST: '127.0.0.1', PORT: String(apiPort), WEB: 'off' }),
})
const web = run('vite', ['--host', host, '--port', String(webPort), '--strictPort'], {
  cwd: inRoot('apps/web'),
  env: withCommands({ VOISOL_API: `http://127.0.0.1:${apiPort}` }),
})

const code = await Promise.race([server, web])
// Each half forwards signals to its own child: one signal to ourselves ends whichever is left.
process.kill(process.pid, 'SIGTERM')
await Promise.all([server, web])
process.exit(code)
