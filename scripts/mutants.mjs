import { ensureInstall } from './lib/ensure-install.mjs'
import { fail, onCurrentNode } from './lib/run.mjs'

ensureInstall()
await onCurrentNode()

const words = process.argv.slice(2)
const optionOf = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const AGAIN = '--again'
const unknown = words.filter((word) => word !== AGAIN && !/^--(only|jobs)=./.test(word))
if (unknown.length)
  fail(
    `Option inconnue\u00a0: ${unknown.join(', ')}. Options\u00a0: --only=domaine|extrait, plusieurs avec des virgules\u00a0; --jobs=1\u00a0; ${AGAIN}.`,
  )

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
const { runMutants } = await import('./mutants/runner/main.mjs')
const options = { only: optionOf('only'), jobs: Number(optionOf('jobs') ?? 2), isAgain: words.includes(AGAIN) }
process.exit((await runMutants(options)) ? 0 : 1)
