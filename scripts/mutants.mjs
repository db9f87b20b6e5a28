import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureInstall } from './lib/ensure-install.mjs'
import { fail, inRoot, onCurrentNode, root } from './lib/run.mjs'

ensureInstall()
await onCurrentNode()
const { findFiles } = await import('./lib/mutant-targets.mjs')
const { openTests } = await import('./lib/mutant-tests.mjs')
const { applyMutant, listMutants, sampleMutants } = await import('./lib/mutator.mjs')

/** The time that a mutant may take: a busy machine is slower than it was without any, and a loop may have no end. */
const SPARE_MS = 60_000
const TIMES_SLOWER = 5
const OPTIONS = { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, list: { type: 'boolean' } }

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
const sources = new Map(findFiles(root, positionals).map((file) => [file, readFileSync(inRoot(file), 'utf8')]))
const all = [...sources].flatMap(([file, source]) => listMutants(file, source))
const mutants = sampleMutants(all, Number(values.sample ?? all.length), Number(values.seed))
const describe = ({ place, change }) => `${place}  ${change}`

let isEnding = false
let mutated
function restore() {
  if (mutated) writeFileSync(inRoot(mutated), sources.get(mutated))
  mutated = undefined
}

function requireUnchanged(files) {
  const changes = execFileSync('git', ['status', '--porcelain', '--', ...files], { cwd: root, encoding: 'utf8' })
  if (changes) fail(`Mutants are written over these files, whose changes are to be committed first:\n${changes}`)
}

async function runMutants() {
  const files = [...new Set(mutants.map(({ file }) => file))]
  requireUnchanged(files)
  const suites = await openTests(root)
  process.on('exit', restore)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isEnding = true
      restore()
      process.exitCode = 130
      suites.stop()
    })

  const testsOf = new Map()
  for (const file of files) testsOf.set(file, await suites.findTests(file))
  // What fails without any mutant would kill every one of them, which proves nothing.
  const first = await suites.run([...new Set([...testsOf.values()].flat())])
  if (first.failure) fail(`A test fails without any mutant: ${first.failure}`)
  const durations = new Map(first.durations)

  const survivors = []
  let previous = files[0]
  for (const [index, mutant] of mutants.entries()) {
    if (isEnding) return
    const { file } = mutant
    const tests = testsOf.get(file)
    const limitMs = SPARE_MS + TIMES_SLOWER * tests.reduce((sum, test) => sum + durations.get(test), 0)
    mutated = file
    writeFileSync(inRoot(file), applyMutant(sources.get(file), mutant))
    const { failure } = await suites.run(tests, [previous, file], limitMs).finally(restore)
    previous = file
    if (!failure) survivors.push(mutant)
    const verdict = failure ? 'killed  ' : 'SURVIVED'
    console.log(`${index + 1}/${mutants.length}  ${verdict}  ${describe(mutant)}${failure ? `  (${failure})` : ''}`)
  }
  if (isEnding) return
  // Whatever a mutant left behind would have killed those that followed.
  const last = await suites.run(testsOf.get(previous), [previous])
  await suites.close()
  if (last.failure) fail(`A test fails once the mutants are taken out: ${last.failure}`)
  for (const survivor of survivors) console.log(`\nSurvived: ${describe(survivor)}`)
  console.log(`\n${mutants.length - survivors.length} killed, ${survivors.length} survived`)
}

if (!mutants.length) fail('There is nothing to mutate.')
if (values.list) for (const mutant of mutants) console.log(describe(mutant))
else await runMutants()
