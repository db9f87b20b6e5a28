import { ensureInstall } from './lib/ensure-install.mjs'
import { onCurrentNode } from './lib/run.mjs'
import { runStep } from './lib/step.mjs'
import { printTable } from './lib/table.mjs'

ensureInstall()
await onCurrentNode()

const url = process.env.CITUS_URL
if (!url) {
  console.log('CITUS_URL n’est pas donnée\u00a0: rien n’a été vérifié sur Citus.')
  process.exit(0)
}

const filter = process.argv.slice(2)
const suite = (title, project, files) => ({
  title,
  kind: 'vitest',
  command: 'vitest',
  args: ['run', '--passWithNoTests', '--reporter=default', '--reporter=json', `--project=${project}`, ...files],
  env: { TEST_DATABASE_URL: url },
})

/**
 * Among the first companies moved and machines lost, a full database spread, and the demo filled, copied and restored: every
 * answer is held against that of one PostgreSQL. The second kill servers at work on the cluster.
 */
const STEPS = {
  citus: suite('API et démonstration sur Citus', 'server', filter),
  faults: suite('Pannes sur Citus', 'faults', filter),
}
const done = []
for (const [id, step] of Object.entries(STEPS)) done.push(await runStep({ id, ...step }))
printTable(done)
const total = (key) => done.reduce((sum, result) => sum + (result[key] ?? 0), 0)
console.log(`${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = total('failed') || !total('passed') ? 1 : 0
