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

/** The mutants that no test noticed, as far as it was not interrupted. */
async function findSurvivors(suites) {
  const [survivors, testsByFile, proven] = [[], new Map(), new Set()]
  for (const [index, mutant] of mutants.entries()) {
    const { file } = mutant
    if (!testsByFile.has(file)) testsByFile.set(file, await suites.findTests(file))
    if (isEnding) break
    mutated = file
    writeFileSync(inRoot(file), applyMutant(sources.get(file), mutant))
    const { failure, failedFile } = await suites.run(testsByFile.get(file), file).finally(restore)
    if (isEnding) break
    const verdict = failure ? `killed    ${describe(mutant)}  (${failure})` : `SURVIVED  ${describe(mutant)}`
    console.log(`${index + 1}/${mutants.length}  ${verdict}`)
    if (!failure) survivors.push(mutant)
    if (!failedFile || proven.has(failedFile)) continue
    // A test that fails without any mutant would kill every one of them, which proves nothing.
    const { failure: own } = await suites.run([failedFile], file)
    if (own && !isEnding) throw new Error(`A test fails without any mutant: ${own}`)
    proven.add(failedFile)
  }
  return survivors
}

async function runMutants() {
  requireUnchanged([...new Set(mutants.map(({ file }) => file))])
  const suites = await openTests(root)
  process.on('exit', restore)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isEnding = true
      restore()
      process.exitCode = 130
      suites.stop()
    })
  const survivors = await findSurvivors(suites).finally(suites.close)
  if (isEnding) return
  for (const survivor of survivors) console.log(`\nSurvived: ${describe(survivor)}`)
  console.log(`\n${mutants.length - survivors.length} killed, ${survivors.length} survived`)
}

if (!mutants.length) fail('There is nothing to mutate.')
if (values.list) for (const mutant of mutants) console.log(describe(mutant))
else await runMutants()
