import { share } from './share.mjs'
import { nameOf } from './table.mjs'

const SPARE_MS = 60_000
const SLOWER = 5
const SHOWN = 100

const SAID = {
  passed: 'SURVIT',
  broken: 'INVALIDE',
  gone: 'INVALIDE',
  late: 'tué (délai dépassé)',
  stuck: 'tué (délai d’un test dépassé)',
  failed: 'tué',
}
const CAUGHT = ['failed', 'stuck', 'late']

const limitOf = ({ tests }, took) => SPARE_MS + SLOWER * tests.reduce((sum, test) => sum + (took.get(test) ?? 0), 0)

/** Once taken out, a fault must no longer be seen: otherwise what was told of others is worth nothing. */
async function requireRestored(jobs, caught, took) {
  const red = []
  await share(jobs, caught.slice(-2 * jobs.length), async (job, { row }) => {
    const { verdict, message } = await job.run(row.tests, limitOf(row, took))
    if (verdict !== 'passed') red.push(`${nameOf(row)}\u00a0: ${message ?? verdict}`)
  })
  if (red.length) throw new Error(`Ces fautes restent vues une fois ôtées\u00a0:\n${red.join('\n')}`)
}

/** What became of each row, by its verdict. */
export async function plantAll(jobs, rows, took, killed) {
  const found = Object.fromEntries(Object.keys(SAID).map((verdict) => [verdict, []]))
  let done = 0
  await share(jobs, rows, async (job, row) => {
    const { verdict, message } = await job.runPlanted(row, limitOf(row, took))
    found[verdict].push({ row, message })
    // A busy machine is late without any fault: only what a test saw is kept.
    if (verdict === 'failed') killed.add(row)
    console.log(
      `${++done}/${rows.length} ${SAID[verdict]}\u00a0: ${nameOf(row)}, ${row.why}${message ? ` (${message.slice(0, SHOWN)})` : ''}`,
    )
  })
  const caught = CAUGHT.flatMap((verdict) => found[verdict])
  await requireRestored(jobs, caught, took)
  return { caught, survived: found.passed, invalid: [...found.broken, ...found.gone] }
}
