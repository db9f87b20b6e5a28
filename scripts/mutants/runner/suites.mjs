import path from 'node:path'
import { createVitest } from 'vitest/node'

const root = process.cwd()
const quiet = { onInit() {} }
const options = {
  root,
  watch: false,
  // Where all run together, each is to be heard.
  bail: process.env.TEST_ISOLATED ? 1 : 0,
  maxWorkers: 1,
  reporters: [quiet],
  passWithNoTests: false,
}
const vitest = await createVitest(options)
await vitest.standalone()

const TIMED_OUT = /timed out in \d+\s?ms|^still waiting after/
const BROKEN = new Set(['SyntaxError', 'ReferenceError'])

const errorsOf = ({ testModules, unhandledErrors }) => [
  ...testModules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ...[...module.children.allTests('failed')].flatMap((test) => test.result().errors ?? []),
  ]),
  ...unhandledErrors,
]
/** Suites that ended before they had a single test have been stopped by something else than what they check. */
const isEmpty = (module) => module.errors().length > 0 && [...module.children.allTests()].length === 0

function verdictOf(result) {
  const errors = errorsOf(result)
  const ran = result.testModules.every((module) => [...module.children.allTests('passed')].length > 0)
  if (!errors.length) return ran ? { verdict: 'passed' } : { verdict: 'broken', message: 'nothing was run' }
  const broken = errors.find(({ name }) => BROKEN.has(name)) ?? (result.testModules.some(isEmpty) && errors[0])
  const told = broken || errors[0]
  const message = String(told?.message ?? told).split('\n')[0]
  return { verdict: broken ? 'broken' : TIMED_OUT.test(message) ? 'stuck' : 'failed', message }
}

/** What earlier runs left would be told again: the state of all of them is one. */
function forget() {
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
}

async function resultsOf(tests) {
  const wanted = tests.map((test) => path.join(root, test))
  const all = await vitest.globTestSpecifications(tests)
  const found = all.filter(({ moduleId }) => wanted.includes(moduleId))
  if (found.length !== wanted.length) throw new Error(`no suite of the project: ${tests.join(', ')}`)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found)
  const own = testModules.filter(({ moduleId }) => wanted.includes(moduleId))
  if (own.length !== testModules.length) throw new Error('results of another run')
  return { testModules, unhandledErrors }
}

function suiteOf(module) {
  const { verdict, message } = verdictOf({ testModules: [module], unhandledErrors: [] })
  const { duration, collectDuration } = module.diagnostic()
  const test = path.relative(root, module.moduleId)
  return { test, ms: Math.ceil(duration + collectDuration), fault: verdict === 'passed' ? undefined : message }
}

async function run({ changed, tests, together }) {
  forget()
  for (const file of changed) vitest.invalidateFile(path.join(root, file))
  const results = await resultsOf(tests)
  return together ? { verdict: 'together', suites: results.testModules.map(suiteOf) } : verdictOf(results)
}

/** Runs the suites on what the files hold now; the server, its transforms and its database outlive each run. */
process.on('message', async (message) => {
  process.send(await run(message).catch((error) => ({ verdict: 'broken', message: String(error) })))
})
process.send({ verdict: 'ready' })
