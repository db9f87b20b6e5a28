import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createVitest } from 'vitest/node'

const MAX_SERVER_TEST_FILES = 20
/** They call every endpoint as every kind of caller, and stand beside none of the files that they protect. */
const ACCESS_LOOPS = /^apps\/server\/test\/(access|attacks|session)/
const IMPORT = /^(?:import|export) (?!type\b)[^'"]*? from '([^']+)'/gm
/** A mutant has no end where no test has ended for so long: more than a test may take, or the server to load. */
const QUIET_MS = 180_000
const FORCE_MS = 5000

class GivenOrder {
  sort = (specs) => specs
  shard = (specs) => specs
}

/** The folders of the server whose files import a file for more than its types. */
function findImportingFolders(root, file) {
  const folders = new Set()
  for (const entry of readdirSync(path.join(root, 'apps/server/src'), { recursive: true })) {
    if (!entry.endsWith('.ts')) continue
    const folder = path.posix.join('apps/server/src', path.dirname(entry).replaceAll(path.sep, '/'))
    const source = readFileSync(path.join(root, 'apps/server/src', entry), 'utf8')
    for (const [, name] of source.matchAll(IMPORT)) {
      const imported = name.startsWith('.')
        ? path.posix.join(folder, name)
        : name.replace(/^@voisol\/([\w-]+)\/(.*)$/, 'packages/$1/src/$2.ts')
      if (imported === file) folders.add(folder)
    }
  }
  return folders
}

/** The tests of this checkout: what vitest has compiled, and the database that they share, outlive each mutant. */
export async function openTests(root) {
  const relative = (file) => path.relative(root, file).replaceAll(path.sep, '/')
  let onProgress
  let previous
  const report = () => onProgress?.()
  const vitest = await createVitest({
    root,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    // One worker for a run, and a new one for the next: no module that a mutant changed is met again.
    isolate: false,
    project: ['!faults', '!web'],
    sequence: { sequencer: GivenOrder },
    reporters: [{ onTestModuleCollected: report, onTestCaseResult: report, onTestModuleEnd: report }],
  })
  await vitest.standalone()

  /** Nearest first: all of a package, and at most so many of the server, where nearly every test loads nearly every file. */
  async function findCandidates(file) {
    const [folder] = /^packages\/(money|energy)\//.exec(file) ?? []
    const all = (await vitest.globTestSpecifications(folder ? [folder] : [])).map(({ moduleId }) => relative(moduleId))
    const importing = folder ? undefined : findImportingFolders(root, file)
    const isNear = [
      (test) => test === file.replace(/\.ts$/, '.test.ts'),
      (test) => path.posix.dirname(test) === path.posix.dirname(file),
      (test) => !importing || importing.has(path.posix.dirname(test)),
      (test) => ACCESS_LOOPS.test(test),
    ]
    const near = [...new Set(isNear.flatMap((is) => all.filter(is)))]
    return folder ? near : near.slice(0, MAX_SERVER_TEST_FILES)
  }

  /** The candidates that load the file (`vitest related`), nearest first. */
  async function findTests(file) {
    const candidates = await findCandidates(file)
    vitest.config.related = [path.join(root, file)]
    const specs = candidates.length ? await vitest.getRelevantTestSpecifications(candidates) : []
    vitest.config.related = undefined
    const related = new Set(specs.map(({ moduleId }) => relative(moduleId)))
    return candidates.filter((test) => related.has(test))
  }

  function findFailure({ testModules, unhandledErrors }) {
    for (const module of testModules) {
      const [test] = module.children.allTests('failed')
      const [error] = module.errors()
      if (test ?? error) return { failure: test?.fullName ?? error.message, failedFile: relative(module.moduleId) }
    }
    return { failure: unhandledErrors.length ? String(unhandledErrors[0]) : undefined }
  }

  /** Runs tests on what the files hold now, until one fails or none ends any more; the changed file is read anew. */
  async function run(tests, changed) {
    if (!tests.length) return {}
    // The results of earlier runs would be told again.
    for (const results of [vitest.state.filesMap, vitest.state.idMap, vitest.state.errorsSet]) results.clear()
    for (const file of [previous ?? changed, changed]) vitest.invalidateFile(path.join(root, file))
    previous = changed
    const all = await vitest.globTestSpecifications(tests)
    const specs = tests.flatMap((test) => all.filter(({ moduleId }) => relative(moduleId) === test))
    let timer
    let isLate = false
    // Cancelled a second time it is by force: a loop without end hears nothing.
    const cancel = () => {
      isLate = true
      timer = setTimeout(cancel, FORCE_MS)
      vitest.cancelCurrentRun('test-failure')
    }
    onProgress = () => {
      if (isLate) return
      clearTimeout(timer)
      timer = setTimeout(cancel, QUIET_MS)
    }
    onProgress()
    const result = await vitest.runTestSpecifications(specs)
    onProgress = undefined
    clearTimeout(timer)
    return isLate ? { failure: 'no end' } : findFailure(result)
  }
  return { findTests, run, close: () => vitest.close(), stop: () => vitest.exit(true) }
}
