import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbedded } from '../../../apps/server/src/db/embedded.ts'
import { APPLICATION, SUPERUSER } from '../../../apps/server/src/db/embedded-connection.ts'
import { forgetDurability } from '../../../apps/server/test/database.ts'
import { makeCopy } from './copy.mjs'
import { startSuites } from './suites-process.mjs'
import { plant } from './table.mjs'

/** What the suites make their database with, once, as they start. */
const OF_DATABASE = /^apps\/server\/src\/(db\/|prepare-database)/

/** One copy of the checkout, one PostgreSQL, and the suites that run there, one row after the other. */
export async function openJob(root, folder) {
  const copy = makeCopy(root, folder)
  const data = mkdtempSync(path.join(tmpdir(), 'voisol-mutants-'))
  chmodSync(data, 0o755) // as root, PostgreSQL runs under another account that must reach its folder
  const database = await startEmbedded(path.join(data, 'postgres'))
  // The suites make roles and databases of their own.
  const admin = database.url.replace(`//${APPLICATION}@`, `//${SUPERUSER}@`)
  await forgetDurability(admin)
  const sweep = () => {
    for (const made of [data, copy]) rmSync(made, { recursive: true, force: true })
  }
  process.on('exit', sweep)
  let suites
  let restored = []

  async function run(tests, changed, ms) {
    suites ??= await startSuites(copy, admin, true)
    const result = await suites.run({ tests, changed: [...restored, ...changed] }, ms)
    restored = changed
    if (result.verdict === 'late' || result.verdict === 'gone') leave()
    return result
  }

  function leave() {
    suites?.stop()
    suites = undefined
  }

  async function runTogether(tests, ms) {
    const shared = await startSuites(copy, admin, false)
    return shared.run({ tests, changed: [], together: true }, ms).finally(shared.stop)
  }

  async function runPlanted(row, ms) {
    const file = path.join(copy, row.file)
    const source = readFileSync(file, 'utf8')
    const isOfDatabase = OF_DATABASE.test(row.file)
    if (isOfDatabase) leave()
    writeFileSync(file, plant(source, row))
    try {
      return await run(row.tests, [row.file], ms)
    } finally {
      writeFileSync(file, source)
      if (isOfDatabase) leave()
    }
  }

  async function close() {
    leave()
    await database.stop()
    process.off('exit', sweep)
    sweep()
  }
  return { run: (tests, ms) => run(tests, [], ms), runTogether, runPlanted, close }
}
