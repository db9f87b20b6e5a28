import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import startTestPostgres from '../test/global-setup.ts'
import { shareBenchPostgres } from './bench-installation.ts'

/**
 * Runs every bench once at its smallest size, in one process and on one PostgreSQL: whether it still runs, not how fast.
 * `soak.bench.ts` is the step `load` of `npm test`.
 */
process.env.BENCH_SMOKE = '1'
/** Of some only: `node apps/server/bench/smoke.ts growth`; a bench reads arguments of its own. */
const benchNames = process.argv.splice(2)
const files = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .filter((file) => file !== 'soak.bench.ts')
  .filter((file) => !benchNames.length || benchNames.includes(basename(file, '.bench.ts')))
  .sort()
if (!files.length) throw new Error('no bench found')

const project = { provide: (_, postgres) => shareBenchPostgres(postgres) } as Pick<
  TestProject,
  'provide'
> as TestProject
const stopPostgres = await startTestPostgres(project)
const broken: string[] = []
for (const file of files) {
  const before = process.cpuUsage()
  console.log(`\n${file}`)
  await import(join(import.meta.dirname, file)).catch((error: unknown) => {
    console.error(error)
    broken.push(file)
  })
  const { user, system } = process.cpuUsage(before)
  console.log(`  ${((user + system) / 1e6).toFixed(1).replace('.', ',')} s de processeur`)
}
await stopPostgres()
for (const file of broken) console.error(`${file} ne tourne plus`)
// A bench sets the exit code where a figure is beyond its limit: at these sizes it means nothing.
process.exit(broken.length ? 1 : 0)
