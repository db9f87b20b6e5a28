import { spawnSync } from 'node:child_process'
import { ensureChromium } from './lib/chromium.mjs'
import { whyNoChroot, whyNoWalk } from './lib/chroot.mjs'
import { ensureBuild } from './lib/ensure-build.mjs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { useQuickFolder } from './lib/quick-folder.mjs'
import { inRoot, onCurrentNode, root, withCommands } from './lib/run.mjs'
import { runStep } from './lib/step.mjs'
import { printTable } from './lib/table.mjs'

ensureInstall()
await onCurrentNode()
useQuickFolder()
// Every step starts the server or its threads: what they compiled is kept for the next, as in the suites.
process.env.NODE_COMPILE_CACHE ??= inRoot('.cache/node')

const ONLY = '--only='
const FLAGS = ['--all', '--changed']
const NICE = 10
const words = process.argv.slice(2)
// More random cases of each property and more kills of each fault: the suites read this themselves.
if (words.includes('--all')) process.env.TEST_ALL = '1'
const all = Boolean(process.env.TEST_ALL)
const changed = words.includes('--changed')
const only = words
  .find((word) => word.startsWith(ONLY))
  ?.slice(ONLY.length)
  .split(',')
const filter = words.filter((word) => !FLAGS.includes(word) && !word.startsWith(ONLY))
const isPartial = changed || filter.length > 0
const other = process.env.TEST_DATABASE_URL
const embedded = { TEST_DATABASE_URL: undefined }

const suite = (title, projects, env) => {
  const given = [...(isPartial ? ['--passWithNoTests'] : []), ...projects.map((name) => `--project=${name}`)]
  const args = ['run', '--reporter=default', '--reporter=json', ...(changed ? ['--changed'] : []), ...given, ...filter]
  return { title, kind: 'vitest', command: 'vitest', args, env }
}

/** Whether one of these browser tests imports what changed: seconds, where a build and a demo take minutes. */
function hasBrowserTests(args) {
  const options = { cwd: root, env: withCommands(), encoding: 'utf8' }
  const { status, stdout } = spawnSync('playwright', [...args, '--reporter=list', '--list'], options)
  // What cannot be listed is run, and says why it cannot.
  return status !== 0 || !/^Total: 0 tests/m.test(stdout)
}

function browser() {
  const given = [...(changed ? ['--only-changed'] : []), ...(isPartial ? ['--pass-with-no-tests'] : []), ...filter]
  const chosen = ['test', '-c', 'apps/web/playwright.config.ts', ...given]
  if (isPartial && !hasBrowserTests(chosen)) return { reason: 'aucun essai n’est concerné' }
  const chromium = ensureChromium()
  const args = [...chosen, '--reporter=list,json']
  const env = { ...embedded, CHROMIUM_PATH: chromium }
  if (chromium) return { kind: 'playwright', command: 'playwright', args, env }
  const advice = 'Chromium est introuvable. Installez-le, ou indiquez son chemin avec CHROMIUM_PATH.'
  return { command: process.execPath, args: ['-e', `console.log(${JSON.stringify(advice)}); process.exit(1)`] }
}

function onEmbedded() {
  const title = 'API sur le PostgreSQL fourni'
  if (!other) return { title, reason: 'déjà celui des API' }
  return suite(title, ['server'], { ...embedded, ...(!all && { TEST_DATABASE_ALONE: '1' }) })
}

/** One that is a script of its own, as root on Linux; elsewhere it is said that it was not run. */
function asRoot(title, script, whyNot) {
  const reason = isPartial ? 'des fichiers sont demandés' : whyNot()
  return { title, ...(reason ? { reason } : { command: process.execPath, args: [script], nice: NICE }) }
}

/** The API runs on the PostgreSQL that TEST_DATABASE_URL names, or on the embedded one; on both when it may matter. */
const STEPS = {
  lint: () => ({ title: 'Format et règles', command: 'biome', args: ['ci', '.'], nice: NICE }),
  types: () => ({ title: 'Types', command: 'npm', args: ['run', '--silent', 'types'], nice: NICE }),
  house: () => ({
    title: 'Mesures du code',
    command: process.execPath,
    args: ['scripts/house.mjs'],
    nice: NICE,
    show: true,
  }),
  build: () => ({ title: 'Construction du web', work: ensureBuild, nice: NICE }),
  faults: () => suite('Pannes', ['faults'], embedded),
  unit: () => suite('Unités et API', ['!faults']),
  demo: () => ({
    title: 'Démonstration',
    command: process.execPath,
    args: ['apps/server/test/keep-demo.ts'],
    env: embedded,
  }),
  // A third of a minute beside three times the demo's data; `npm run soak` does half an hour beside ten times.
  load: () => ({
    title: 'Charge mêlée et grandes données, court',
    command: process.execPath,
    args: ['apps/server/bench/soak.bench.ts'],
    env: { ...embedded, MINUTES: '0.33', RATE: '4', TIMES: '3' },
    ...(isPartial && { reason: 'des fichiers sont demandés' }),
  }),
  bench: () => ({
    title: 'Mesures, au plus petit',
    command: process.execPath,
    args: ['apps/server/bench/smoke.ts'],
    env: embedded,
    nice: NICE,
    ...(process.platform !== 'linux' && { reason: 'ce n’est pas un Linux, dont /proc dit le temps de processeur' }),
    ...(isPartial && { reason: 'des fichiers sont demandés' }),
  }),
  postgres: onEmbedded,
  container: () => asRoot('Image (Dockerfile rejoué)', 'scripts/container.mjs', whyNoChroot),
  walk: () => asRoot('Exploitation (docs/operations.md suivie)', 'scripts/operations-walk.mjs', whyNoWalk),
  browser: () => ({ title: 'Navigateur', ...browser() }),
}
/**
 * Steps of a lane run one after the other, lanes beside each other. Faults mostly wait for what they killed, and measure
 * a recovery against an ordinary start beside the same neighbours; the other database takes their place when they are
 * done. The third lane takes what the others leave, and begins with the demo, which the browser and the load need.
 */
const LANES = [
  ['faults', 'postgres'],
  ['build', 'unit', 'browser'],
  ['demo', 'lint', 'house', 'types', 'load', 'bench', 'container', 'walk'],
]

const unknown = only?.filter((id) => !(id in STEPS)) ?? []
if (unknown.length)
  console.error(`Étape inconnue\u00a0: ${unknown.join(', ')}. Étapes\u00a0: ${Object.keys(STEPS).join(', ')}.`)

const NEEDED_BY = { browser: ['build', 'demo'], load: ['demo'], bench: ['build', 'demo'] }
const chosen = Object.keys(STEPS).filter((id) => !only || only.includes(id))
const steps = new Map(chosen.map((id) => [id, STEPS[id]()]))
// What is only needed by others is made where one of them runs.
for (const [id, { reason }] of steps)
  for (const other of (!reason && NEEDED_BY[id]) || []) if (!steps.has(other)) steps.set(other, STEPS[other]())
const results = new Map()
const ends = new Map(Object.keys(STEPS).map((id) => [id, Promise.withResolvers()]))

async function runLane(ids) {
  for (const id of ids.filter((one) => steps.has(one))) {
    const step = steps.get(id)
    const needed = step.reason ? [] : (NEEDED_BY[id] ?? [])
    // What it needs may be made in another lane.
    await Promise.all(needed.map((other) => ends.get(other).promise))
    // Without the application every browser test would only repeat that failure.
    if (needed.includes('build') && results.get('build')?.failed) step.reason = 'l’application n’est pas construite'
    results.set(id, step.reason ? step : await runStep({ id, ...step }))
    ends.get(id).resolve()
  }
}
await Promise.all(LANES.map(runLane))

const done = [...results.values()]
const total = (key) => done.reduce((sum, result) => sum + (result[key] ?? 0), 0)
const [passed, failed, skipped] = [total('passed'), total('failed') + unknown.length, total('skipped')]
printTable(done)
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
// A run that found no test is no success, unless nothing that changed has one.
process.exitCode = failed || (!passed && !changed) ? 1 : 0
