import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { changedFiles } from './changes.mjs'
import { inRoot, root } from './run.mjs'

/**
 * Whose turn it is to be looked at (scripts/turn.json). Moved on by hand, in a commit of its own on a version that passed:
 * what a new turn finds is then mended by whoever moved it, and all that changes from there on is looked at each time.
 */
export const TURN = Number(process.env.TEST_TURN ?? JSON.parse(readFileSync(inRoot('scripts/turn.json'), 'utf8')))

/**
 * Each file of a feature on the server and of the rooms beside them that few others lean on, each journey, each fault beside a
 * plain `kill -9` and the longest: one turn in five.
 */
const ONE_IN = 5
const IN_TURN = [
  'apps/server/src/{adapters,cli,formats,sandbox}/**/*.test.ts',
  'apps/server/src/features/*/*/**/*.test.ts',
  'apps/server/test/faults-*.test.ts',
  'apps/server/test/restored-demo.test.ts',
  'apps/web/e2e/journeys/*.spec.ts',
]
/** Those who sign in, share energy, bill and are paid come every time, as does whoever might read another's. */
const ALWAYS = ['auth', 'billing', 'first-invoice', 'payment', 'portal', 'allocations', 'invoices']
/** What calls for a file besides what it is named after. */
const ALSO = {
  backup: ['backups', 'db'],
  booking: ['bookings'],
  brand: ['white-label'],
  cash: ['bank', 'payments'],
  corrected: ['corrections'],
  dashboard: ['energy'],
  distribution: ['allocations', 'keys'],
  'faults-allocation': ['allocations', 'jobs'],
  'faults-archive': ['backups', 'jobs'],
  'faults-billing': ['billing', 'debits', 'invoices', 'participants', 'webhooks', 'jobs'],
  'faults-clock': ['db', 'jobs'],
  'faults-damaged': ['db', 'http'],
  'faults-events': ['flows', 'webhooks', 'jobs'],
  'faults-files': ['files', 'curves'],
  'faults-full': ['db', 'http', 'files'],
  'faults-hung': ['db', 'http'],
  'faults-import': ['curves', 'formats', 'jobs'],
  'faults-pooled': ['db', 'jobs'],
  'faults-rolling': ['db', 'jobs'],
  'faults-start': ['db', 'jobs'],
  'faults-slow': ['db', 'http'],
  'faults-standby': ['db', 'http'],
  'faults-sync': ['sync', 'jobs'],
  'enedis-data': ['distributor-files', 'enedis'],
  holders: ['participants', 'mandates'],
  life: ['closure', 'erasure', 'retention'],
  passkeys: ['auth'],
  predictions: ['forecasts'],
  rejected: ['debits', 'lots'],
  'restored-demo': ['backups', 'demo', 'db'],
  sandbox: ['world'],
  sessions: ['auth'],
}

const wordsOf = (file) => file.replace(/\.(test|spec)\.ts$/, '').split('/')

/** A feature bears one name on the server, in the contract, in the browser and among the journeys; a room has that of its folder. */
function namesOf(file) {
  const words = wordsOf(file)
  const [, , folder, room] = words
  const at = words.indexOf('features')
  const names = at >= 0 ? [words[at + 2]] : folder === 'src' ? [words.at(-1), room] : [words.at(-1)]
  return names.flatMap((name) => [name, ...(ALSO[name] ?? [])])
}

/** The jobs of a feature are no news of the queue. */
const OF_A_FEATURE = /(\/features\/.*)\/jobs\.ts$/
const wordsIn = (changed) => new Set(changed.flatMap((file) => file.replace(OF_A_FEATURE, '$1').split(/[/.]/)))
/** What every screen is made of, besides its feature. */
const OF_ALL_SCREENS = /^apps\/web\/(?!e2e\/|public\/|src\/(features|site)\/)|^apps\/web\/e2e\/[^/]+$/

/** The features whose screens come whatever the turn; nothing where all of them do. */
export function touchedAmong(changed) {
  if (!changed || changed.some((file) => OF_ALL_SCREENS.test(file))) return
  return [...wordsIn(changed)]
}

/** What tests of the server share: whoever imports one that changed comes. */
const HELPER = /^apps\/server\/test\/([\w-]+)\.ts$/
const IMPORTED = /from '(?:\.|[./]+\/test)\/([\w-]+)\.ts'/g
const helpersOf = (file) => [...readFileSync(inRoot(file), 'utf8').matchAll(IMPORTED)].map(([, name]) => name)

/** The files of tests that wait at this turn: what they look at did not change. Where nobody can tell, none waits. */
export function waitingAt(turn, changed) {
  if (!changed) return []
  const touched = wordsIn(changed)
  const helpers = new Set(changed.flatMap((file) => HELPER.exec(file)?.[1] ?? []))
  const files = globSync(IN_TURN, { cwd: root }).map((file) => file.split(path.sep).join('/'))
  return files.sort().filter((file, place) => {
    const names = namesOf(file)
    const waits = (place + turn) % ONE_IN !== 0 && !ALWAYS.includes(names[0])
    return waits && !names.some((name) => touched.has(name)) && !helpersOf(file).some((name) => helpers.has(name))
  })
}

export const leftOut = () => waitingAt(TURN, changedFiles())
export const touched = () => touchedAmong(changedFiles())
