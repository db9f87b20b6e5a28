import { allocate } from '@voisol/energy/allocate'
import { addMonths, dayStart, monthOf } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { demoWorld } from './demo.ts'
import { type Shared, STEP, settleMonth } from './settle.ts'
import { settlementsOf } from './settlement.ts'
import { openStore } from './store.ts'
import { lateKey } from './troubles.ts'
import { createWorld } from './world.ts'

const ANCHOR = '2026-11-15'
const demo = demoWorld(ANCHOR)
const world = createWorld(openStore(undefined), demo.source)
const now = Date.parse(`${ANCHOR}T10:00:00Z`)
const settlementOf = (acc: string) => {
  const found = settlementsOf([], demo).find((one) => one.acc === acc)
  if (!found) throw new Error(acc)
  return found
}

test('the late change of key touches its days alone', async () => {
  const settlement = settlementOf('ACC00001274')
  const { from, to } = lateKey(ANCHOR)
  const month = monthOf(from)
  const late = await settleMonth(world, settlement, month, now)
  const keys = settlement.keys.map((key) => ({
    ...key,
    from: key.from === to ? from : key.from,
    to: key.to === to ? from : key.to,
  }))
  const right = await settleMonth(world, { ...settlement, keys }, month, now)
  const different = new Set<number>()
  for (const [n, { local }] of late.points.entries())
    for (const [at, watts] of local.entries()) if (watts !== right.points[n]?.local[at]) different.add(at)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / STEP
  const steps = [...different]
  expect(steps.length).toBeGreaterThan(50)
  expect(steps.every((at) => at >= place(from) && at < place(to))).toBe(true)
})

test.each(['ACC00001274', 'ACC00002391', 'ACC00001862'])(
  '%s: shared in whole watts or exactly, a month is the same but for its roundings',
  async (acc) => {
    const settlement = settlementOf(acc)
    const month = addMonths(monthOf(ANCHOR), -2)
    const { points } = await settleMonth(world, settlement, month, now)
    const ids = new Map(settlement.seats.map(({ prm, id }) => [prm, id]))
    const curve = ({ prm, total }: Shared) => ({
      id: ids.get(prm) ?? '',
      values: total.map((watts) => (watts < 0 ? watts : watts * STEP)),
      active: [[0, total.length]] as [number, number][],
    })
    const consumers = points.filter(({ role }) => role === 'cons')
    const producers = points.filter(({ role }) => role === 'prod')
    const steps = points[0]?.total.length ?? 0
    const key = settlement.keys.findLast(({ from }) => from <= month)?.key ?? { method: 'default' as const }
    const here = consumers.filter(({ total }) => total.some((watts) => watts >= 0))
    const exact = allocate({
      steps,
      consumers: here.map(curve),
      producers: producers.map(curve),
      keys: [{ from: 0, to: steps, key }],
    })
    const wattHours = (values: Iterable<number>, minutes: number) =>
      [...values].reduce((sum, value) => sum + Math.max(0, value) * minutes, 0) / 60
    for (const [n, { local }] of here.entries())
      expect(Math.abs(wattHours(local, STEP) - wattHours(exact.allocated[n] ?? [], 1))).toBeLessThan(500)
  },
)
