import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root } from '../../lib/run.mjs'
import { openJob } from './job.mjs'
import { checkRows, isWanted, lineOf, nameOf, readTables } from './table.mjs'

const MOST_JOBS = 2
const SUITE_MS = 600_000
const SPARE_MS = 60_000
const SLOWER = 5
const SHOWN = 100

/** Hands the items out to the jobs as they become free. */
async function share(jobs, items, work) {
  const waiting = [...items]
  const take = async (job) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(job, item)
  }
  await Promise.all(jobs.map(take))
}

/** How long each suite takes as the code stands; a suite that fails then would catch anything, which proves nothing. */
async function measure(jobs, rows) {
  const took = new Map()
  const red = []
  await share(jobs, new Set(rows.flatMap(({ tests }) => tests)), async (job, test) => {
    const start = Date.now()
    const { verdict, message } = await job.run([test], SUITE_MS)
    took.set(test, Date.now() - start)
    if (verdict !== 'passed') red.push(`${test}\u00a0: ${message ?? verdict}`)
  })
  return { took, red }
}

const show = (row) => {
  const line = lineOf(readFileSync(path.join(root, row.file), 'utf8'), row)
  return `${row.area}  ${row.file}:${line}  ${row.find} → ${row.replace || '(rien)'}  (${row.why})`
}

const SAID = {
  passed: 'SURVIT',
  broken: 'INVALIDE',
  gone: 'INVALIDE',
  late: 'tué (délai dépassé)',
  stuck: 'tué (délai d’un test dépassé)',
  failed: 'tué',
}

/** Once taken out, a fault must no longer be seen: otherwise what was told of others is worth nothing. */
async function requireRestored(jobs, { failed, late, stuck }, took) {
  const caught = [...failed, ...stuck, ...late]
  const red = []
  await share(jobs, caught.slice(-2 * jobs.length), async (job, { row }) => {
    const { verdict, message } = await job.run(row.tests, limitOf(row, took))
    if (verdict !== 'passed') red.push(`${nameOf(row)}\u00a0: ${message ?? verdict}`)
  })
  if (red.length) throw new Error(`Ces fautes restent vues une fois ôtées\u00a0:\n${red.join('\n')}`)
}

const limitOf = ({ tests }, took) => SPARE_MS + SLOWER * tests.reduce((sum, test) => sum + (took.get(test) ?? 0), 0)

async function plantAll(jobs, rows, took) {
  const found = { passed: [], broken: [], gone: [], late: [], stuck: [], failed: [] }
  let done = 0
  await share(jobs, rows, async (job, row) => {
    const { verdict, message } = await job.runPlanted(row, limitOf(row, took))
    found[verdict].push({ row, message })
    console.log(
      `${++done}/${rows.length} ${SAID[verdict]}\u00a0: ${nameOf(row)}, ${row.why}${message ? ` (${message.slice(0, SHOWN)})` : ''}`,
    )
  })
  await requireRestored(jobs, found, took)
  return found
}

function report({ passed, broken, gone, late, stuck, failed }) {
  const invalid = [...broken, ...gone]
  for (const { row } of passed) console.log(`\nSurvit\u00a0: ${show(row)}`)
  for (const { row, message } of invalid) console.log(`\nInvalide\u00a0: ${show(row)}\n  ${message}`)
  const more = invalid.length ? `, ${invalid.length} invalid` : ''
  console.log(`\n${failed.length + late.length + stuck.length} killed, ${passed.length} survived${more}`)
  return passed.length + invalid.length === 0
}

/** Plants the faults one at a time, each under the suites beside it; says whether all were caught. */
export async function runMutants({ only, jobs: wanted = MOST_JOBS }) {
  const rows = readTables(inRoot('scripts/mutants')).filter(isWanted(only))
  const faults = rows.length ? checkRows(rows, root) : ['Aucune ligne ne correspond.']
  if (faults.length) {
    console.error(faults.join('\n'))
    return false
  }
  const count = Math.max(1, Math.min(MOST_JOBS, wanted, rows.length))
  const folders = Array.from({ length: count }, (_, nth) => inRoot('.cache/mutants', String(nth)))
  const jobs = await Promise.all(folders.map((folder) => openJob(root, folder)))
  try {
    const { took, red } = await measure(jobs, rows)
    if (!red.length) return report(await plantAll(jobs, rows, took))
    console.error(`Ces tests échouent sans aucune faute\u00a0:\n${red.join('\n')}`)
    return false
  } finally {
    await Promise.all(jobs.map((job) => job.close()))
  }
}
