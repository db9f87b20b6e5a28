import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../../..')
type Turns = {
  waitingAt: (turn: number, changed: string[] | undefined) => string[]
  touchedAmong: (changed: string[] | undefined) => string[] | undefined
}
const { waitingAt, touchedAmong } = (await import(path.join(root, 'scripts/lib/turn.mjs'))) as Turns

const TURNS = [0, 1, 2, 3, 4]
const MONTH = 'apps/server/src/features/distributor/sync/month-with-failures.test.ts'
const HUNG = 'apps/server/test/faults-hung.test.ts'
const STAND_IN = 'apps/server/src/sandbox/settle.test.ts'
const COPY = 'apps/server/src/cli/backup.test.ts'
const SHIPMENTS = 'apps/server/src/features/administration/connections/shipments.test.ts'
const JOURNEY = 'apps/web/e2e/journeys/corrected.spec.ts'

test('whoever waits comes within five turns, and is there', () => {
  const waiting = TURNS.map((turn) => new Set(waitingAt(turn, [])))
  const ever = [...new Set(waiting.flatMap((files) => [...files]))]
  expect(ever.length).toBeGreaterThan(200)
  expect(ever.filter((file) => waiting.every((files) => files.has(file)))).toEqual([])
  expect(ever.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  for (const files of waiting) expect(ever.length - files.size).toBeGreaterThan(ever.length / 6)
})

test('who looks at what changed does not wait', () => {
  const turns = (changed: string[], file: string) =>
    TURNS.filter((turn) => waitingAt(turn, changed).includes(file)).length
  expect([turns([], MONTH), turns([], JOURNEY)]).toEqual([4, 4])
  expect(turns(['packages/contract/src/sync.ts'], MONTH)).toBe(0)
  expect(turns(['apps/server/src/features/distributor/sync/plan-sync.ts'], MONTH)).toBe(0)
  expect(turns(['apps/web/src/features/corrections/card.tsx'], JOURNEY)).toBe(0)
  expect(turns([JOURNEY], JOURNEY)).toBe(0)
  expect([turns([], HUNG), turns(['apps/server/src/db/client.ts'], HUNG)]).toEqual([4, 0])
  expect([turns([], STAND_IN), turns(['apps/server/src/sandbox/server.ts'], STAND_IN)]).toEqual([4, 0])
  expect(turns(['apps/server/src/world/plan.ts'], STAND_IN)).toBe(0)
  expect(turns(['apps/server/src/features/administration/backups/jobs.ts'], COPY)).toBe(0)
  expect(turns(['apps/server/src/features/energy/curves/jobs.ts'], HUNG.replace('hung', 'rolling'))).toBe(4)
  expect(turns(['apps/server/src/jobs/queue.ts'], HUNG.replace('hung', 'rolling'))).toBe(0)
  expect(turns(['apps/web/src/features/bank/card.tsx'], JOURNEY)).toBe(4)
  expect([turns([], SHIPMENTS), turns(['apps/server/test/s3.ts'], SHIPMENTS)]).toEqual([4, 0])
})

test('screens of what changed come, and all of them where what they share did', () => {
  expect(touchedAmong(['apps/web/src/features/bank/card.tsx', 'packages/contract/src/sync.ts'])).toEqual(
    expect.arrayContaining(['bank', 'sync']),
  )
  for (const shared of ['ui/button.tsx', 'lib/api.ts', 'screens/table.ts', 'styles.css'])
    expect(touchedAmong([`apps/web/src/${shared}`])).toBeUndefined()
  expect(touchedAmong(['apps/web/e2e/screens.spec.ts'])).toBeUndefined()
  expect(touchedAmong(undefined)).toBeUndefined()
})

test('where nobody can tell what changed, nobody waits', () => {
  expect(waitingAt(1, undefined)).toEqual([])
})

test('who signs in, shares, bills and reads what others must not comes every time', () => {
  const ever = new Set(TURNS.flatMap((turn) => waitingAt(turn, [])))
  for (const name of ['people/auth', 'energy/allocations', 'money/invoices', 'money/billing'])
    expect([...ever].filter((file) => file.includes(`/${name}/`))).toEqual([])
  for (const name of ['auth', 'billing', 'first-invoice', 'payment', 'portal'])
    expect(ever.has(`apps/web/e2e/journeys/${name}.spec.ts`)).toBe(false)
})
