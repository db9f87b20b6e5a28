import { ensureInstall } from './lib/ensure-install.mjs'
import { fail, onCurrentNode } from './lib/run.mjs'

ensureInstall()
await onCurrentNode()

const words = process.argv.slice(2)
const optionOf = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const RESUME = '--resume'
const unknown = words.filter((word) => word !== RESUME && !/^--(only|jobs)=./.test(word))
if (unknown.length)
  fail(
    `Option inconnue\u00a0: ${unknown.join(', ')}. Options\u00a0: --only=domaine|extrait, plusieurs avec des virgules\u00a0; --jobs=1\u00a0; ${RESUME}.`,
  )

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
const { runMutants } = await import('./mutants/runner/main.mjs')
const options = { only: optionOf('only'), jobs: Number(optionOf('jobs') ?? 2), isResumed: words.includes(RESUME) }
process.exit((await runMutants(options)) ? 0 : 1)
