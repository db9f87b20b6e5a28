import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, run, withCommands } from './run.mjs'

const folder = inRoot('.cache/test')
const SHOWN_LINES = 150

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const COUNTS = {
  vitest: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  playwright: ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }),
}

/** A step without a report is one test; one that fails without naming a failed test counts as one failure. */
function count(step, code, report) {
  const found = report ? COUNTS[step.kind](report) : { passed: code === 0 && !step.kind ? 1 : 0, failed: 0, skipped: 0 }
  return { ...found, failed: code === 0 ? found.failed : Math.max(found.failed, 1) }
}

function show(log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  if (lines.length > SHOWN_LINES) console.log(`… (${lines.length - SHOWN_LINES} lignes de plus dans ${log})`)
  console.log(lines.slice(-SHOWN_LINES).join('\n'))
}

/** Runs one step of the tests. Its output is kept in a file, and printed when the step fails or asks for it: others may run beside it. */
export async function runStep(step) {
  mkdirSync(folder, { recursive: true })
  const log = `${folder}/${step.id}.log`
  const json = `${folder}/${step.id}.json`
  rmSync(json, { force: true })
  const output = openSync(log, 'w')
  const started = Date.now()
  const env = withCommands({
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    ...step.env,
    ...(step.kind === 'playwright' && { PLAYWRIGHT_JSON_OUTPUT_NAME: json }),
  })
  const args = step.kind === 'vitest' ? [...step.args, `--outputFile.json=${json}`] : step.args
  const options = { stdio: ['ignore', output, output], env, nice: step.nice }
  const code = await (step.work ? step.work(options) : run(step.command, args, options))
  closeSync(output)
  const result = count(step, code, step.kind && readReport(json))
  const seconds = (Date.now() - started) / 1000
  console.log(`${result.failed ? '✗' : '✓'} ${step.title} (${seconds.toFixed(1)} s)`)
  if (result.failed || step.show) show(log)
  return { ...result, seconds, title: step.title }
}
