import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root } from '../../lib/run.mjs'
import { openJob } from './job.mjs'
import { openKilled, openTook } from './kept.mjs'
import { measure } from './measure.mjs'
import { plantAll } from './plant-all.mjs'
import { checkRows, isWanted, lineOf, readTables } from './table.mjs'

const MOST_JOBS = 2

const show = (row) => {
  const line = lineOf(readFileSync(path.join(root, row.file), 'utf8'), row)
  return `${row.area}  ${row.file}:${line}  ${row.find} → ${row.replace || '(rien)'}  (${row.why})`
}

/** What is left to do stands last: survivors, rows that prove nothing, rows that fit the code no more. */
function report({ caught, survived, invalid }, known, stale) {
  for (const { row } of survived) console.log(`\nSurvit\u00a0: ${show(row)}`)
  for (const { row, message } of invalid) console.log(`\nInvalide\u00a0: ${show(row)}\n  ${message}`)
  for (const fault of stale) console.log(`\nPérimée\u00a0: ${fault}`)
  const counts = [
    `${caught.length + known} killed${known ? ` (${known} earlier)` : ''}`,
    `${survived.length} survived`,
    ...(invalid.length ? [`${invalid.length} invalid`] : []),
    ...(stale.length ? [`${stale.length} stale`] : []),
  ]
  console.log(`\n${counts.join(', ')}`)
  return survived.length + invalid.length + stale.length === 0
}

async function plantIn(jobs, rows, killed) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const { took, red } = await measure(jobs, rows, openTook(inRoot('.cache/mutants/took.json'), root, commit))
  if (!red.length) return plantAll(jobs, rows, took, killed)
  console.error(`Ces tests échouent sans aucune faute\u00a0:\n${red.join('\n')}`)
}

/** Plants the faults one at a time, each under the suites beside it; says whether all were caught. */
export async function runMutants({ only, jobs: wanted = MOST_JOBS, isAgain = false }) {
  const all = readTables(inRoot('scripts/mutants'))
  const areas = all.map(({ area }) => area)
  const asked = all.filter(isWanted(only, areas))
  const stale = asked.length ? checkRows(asked, root) : ['aucune ligne ne correspond']
  const fits = (row) => !checkRows([row], root).length
  const fitting = asked.filter(fits)
  const killed = openKilled(inRoot('scripts/mutants/killed.txt'), root, all.filter(fits), isAgain)
  const rows = fitting.filter((row) => !killed.isKilled(row))
  const known = fitting.length - rows.length
  if (!rows.length) return report({ caught: [], survived: [], invalid: [] }, known, stale)
  const count = Math.max(1, Math.min(MOST_JOBS, wanted, rows.length))
  const folders = Array.from({ length: count }, (_, nth) => inRoot('.cache/mutants', String(nth)))
  const jobs = await Promise.all(folders.map((folder) => openJob(root, folder)))
  try {
    const found = await plantIn(jobs, rows, killed)
    return found ? report(found, known, stale) : false
  } finally {
    await Promise.all(jobs.map((job) => job.close()))
  }
}
