import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { useQuickFolder } from './lib/quick-folder.mjs'
import { currentNode, inRoot, onCurrentNode, root } from './lib/run.mjs'

/**
 * What is too long for `npm test`: many kills, a long mixed load, and ten times the demo's data. Everything runs on this
 * machine alone, on ports of 127.0.0.1, and ends by itself: each number has a greatest value, each stage a limit in time.
 */
const OPTIONS = {
  minutes: { usual: 30, least: 1, greatest: 120 },
  kills: { usual: 20, least: 1, greatest: 50 },
  rate: { usual: 6, least: 1, greatest: 20 },
  times: { usual: 10, least: 1, greatest: 20 },
}
const STAGES = ['kills', 'load']
const MINUTE_MS = 60_000
/** Of a kill: the start that follows, on a machine that does other things as well. */
const KILL_MS = 2 * MINUTE_MS
/** Of the load, before it begins: the demo is made, and its multiple. */
const PREPARATION_MS = 60 * MINUTE_MS

function readOptions(words) {
  const given = Object.fromEntries(words.map((word) => /^--([a-z]+)=([\w,]+)$/.exec(word)?.slice(1) ?? [word, '']))
  const faults = Object.keys(given).filter((name) => !(name in OPTIONS) && name !== 'only')
  const stages = given.only?.split(',') ?? STAGES
  faults.push(...stages.filter((stage) => !STAGES.includes(stage)))
  const numbers = {}
  for (const [name, { usual, least, greatest }] of Object.entries(OPTIONS)) {
    numbers[name] = Number(given[name] ?? usual)
    if (!(numbers[name] >= least && numbers[name] <= greatest)) faults.push(`${name} (${least} à ${greatest})`)
  }
  if (faults.length) {
    console.error(`Option inconnue ou hors bornes\u00a0: ${faults.join(', ')}.`)
    console.error('npm run soak -- --minutes=30 --kills=20 --rate=6 --times=10 --only=kills,load')
    process.exit(2)
  }
  return { ...numbers, stages }
}

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    interrupted = true
  })

/** Every suite with a `kill -9` in a title; some kill at fixed moments of one work, whatever the number asked for. */
const listKillSuites = () =>
  readdirSync(inRoot('apps/server/test'))
    .filter((name) => /^faults.*\.test\.ts$/.test(name))
    .map((name) => `apps/server/test/${name}`)
    .filter((suite) => /(?:test|describe)\([`'][^`'\n]*kill -9/.test(readFileSync(inRoot(suite), 'utf8')))

/** Whether each suite has run at least one test to its end: a name that no test has any more is no success. */
function haveRun(report, suites) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const ran = testResults.filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'passed'))
  const silent = suites.filter((suite) => !ran.some(({ name }) => name.endsWith(suite)))
  if (silent.length) console.error(`Aucun essai n’a tourné dans ${silent.join(', ')}.`)
  return !silent.length
}

/** Runs a command with a limit; beyond it the command and all that it started are ended. */
function runWithin(limitMs, command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true, env: { ...process.env, ...env } })
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself meanwhile.
      }
    }
    const timer = setTimeout(() => {
      console.error(`Arrêté après ${Math.round(limitMs / MINUTE_MS)} minutes.`)
      end()
    }, limitMs)
    process.once('SIGINT', end).once('SIGTERM', end)
    child.once('exit', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', end).off('SIGTERM', end)
      resolve(code ?? 1)
    })
  })
}

const { minutes, kills, rate, times, stages } = readOptions(process.argv.slice(2))
ensureInstall()
await onCurrentNode()
useQuickFolder()
process.env.NODE_COMPILE_CACHE ??= inRoot('.cache/node')

const RUN = {
  kills: async () => {
    const report = inRoot('.cache/soak-kills.json')
    rmSync(report, { force: true })
    const suites = listKillSuites()
    const args = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--project=faults', '-t', 'kill -9', ...suites]
    args.push('--reporter=default', '--reporter=json', `--outputFile.json=${report}`)
    const env = { SOAK_KILLS: String(kills), TEST_DATABASE_URL: '' }
    const code = await runWithin(suites.length * (kills * KILL_MS + 5 * MINUTE_MS), currentNode(), args, env)
    return code === 0 && !haveRun(report, suites) ? 1 : code
  },
  load: () => {
    const env = { MINUTES: String(minutes), RATE: String(rate), TIMES: String(times) }
    const file = inRoot('apps/server/bench/soak.bench.ts')
    return runWithin(PREPARATION_MS + minutes * 2 * MINUTE_MS, currentNode(), [file], env)
  },
}
let failed = false
for (const stage of stages) {
  if (interrupted) {
    failed = true
    break
  }
  console.log(
    `\n${stage}\u00a0: ${stage === 'kills' ? `${kills} arrêts brutaux par suite` : `${minutes} minutes, ${rate} appels par seconde, ${times} fois la démonstration`}`,
  )
  const from = Date.now()
  const code = await RUN[stage]()
  console.log(`${stage}\u00a0: ${code === 0 ? 'tenu' : 'échec'} en ${Math.round((Date.now() - from) / 1000)} s`)
  if (code !== 0) failed = true
}
process.exitCode = failed ? 1 : 0
