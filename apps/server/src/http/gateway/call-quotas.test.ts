import type { CallLimits } from '@voisol/contract/api-keys'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useServer } from '../../../test/server.ts'
import { callBudgets } from '../../db/schema/index.ts'
import type { Actor } from '../actor.ts'
import { createCallQuotas } from './call-quotas.ts'

const server = useServer()
const NO_CALL_LIMITS: CallLimits = { perSecond: null, perMonth: null }
let companies = 4100

/** A key of a new company, used by any number of processes. */
function world(limits: { key?: Partial<CallLimits>; company?: Partial<CallLimits> }) {
  const companyId = ++companies
  const clock = { now: Date.now() }
  const keyOf = (keyId: string = crypto.randomUUID()) =>
    ({
      companyId,
      keyId,
      limits: { key: { ...NO_CALL_LIMITS, ...limits.key }, company: { ...NO_CALL_LIMITS, ...limits.company } },
    }) as Actor // all that is looked at
  const process = () => createCallQuotas(server.db, () => clock.now)
  const used = async () => {
    const rows = await server.db.select().from(callBudgets).where(eq(callBudgets.companyId, companyId))
    return rows.find(({ span }) => span === 'month')?.amount
  }
  /** The database clock cannot be controlled: stored times are moved back instead. */
  const ago = (seconds: number) =>
    server.db.execute(
      sql`update call_budgets set at = (at at time zone 'UTC' - make_interval(secs => ${seconds})) at time zone 'UTC' where company_id = ${companyId}`,
    )
  return { keyOf, process, used, ago, clock }
}
type Process = ReturnType<typeof createCallQuotas>
const many = async (process: Process, key: Actor, n: number) => {
  const all = await Promise.all(Array.from({ length: n }, () => process.spend(key)))
  return { in: all.filter(({ refused }) => !refused).length, refused: all.find(({ refused }) => refused)?.refused, all }
}

test('processes together allow exactly the calls of the month', async () => {
  const { keyOf, process, used } = world({ key: { perMonth: 137 } })
  const [key, one, two] = [keyOf(), process(), process()]
  const first = await many(one, key, 61)
  const second = await many(two, key, 200)
  await two.tidy(0)
  await one.tidy(0)
  const third = await many(process(), key, 200)
  expect(first.in).toBe(61)
  expect(first.in + second.in + third.in).toBe(137)
  expect(await used()).toBe(137)
  expect(third.refused).toMatchObject({ code: 'key-quota', status: 429 })
  expect(third.refused?.retryAfter).toBeGreaterThan(60)
})

test('an idle slice is returned: unused calls do not count', async () => {
  const { keyOf, process, used, clock } = world({ key: { perMonth: 100_000 } })
  const [key, one] = [keyOf(), process()]
  await many(one, key, 3)
  expect(await used()).toBe(101)
  await one.tidy()
  expect(await used()).toBe(101)
  clock.now += 31_000
  await one.tidy()
  expect(await used()).toBe(3)
})

test('a new month starts at zero', async () => {
  const { keyOf, process, ago } = world({ key: { perMonth: 2 } })
  const key = keyOf()
  expect((await many(process(), key, 5)).in).toBe(2)
  await ago(32 * 86_400)
  expect((await many(process(), key, 5)).in).toBe(2)
})

test('the rate per second is shared, and refills', async () => {
  const { keyOf, process, ago, clock } = world({ key: { perSecond: 7 } })
  const [key, one, two] = [keyOf(), process(), process()]
  const from = performance.now()
  const together = (await many(one, key, 20)).in + (await many(two, key, 20)).in
  const seconds = (performance.now() - from) / 1000
  expect(together).toBeGreaterThanOrEqual(7)
  // Tokens refilled during the calls allow more.
  expect(together).toBeLessThanOrEqual(7 + Math.ceil(7 * seconds))
  await ago(3600)
  clock.now += 3_600_000
  expect((await many(one, key, 7)).in).toBe(7)
})

test('a call beyond the rate must retry in a second', async () => {
  const { keyOf, process } = world({ key: { perSecond: 1 } })
  expect((await many(process(), keyOf(), 30)).refused).toMatchObject({ code: 'key-rate', status: 429, retryAfter: 1 })
})

test('all keys of a company share one budget, and a refusal consumes from none', async () => {
  const { keyOf, process } = world({ key: { perMonth: 50 }, company: { perMonth: 9 } })
  const [a, b, one] = [keyOf(), keyOf(), process()]
  expect((await many(one, a, 6)).in).toBe(6)
  const { in: rest, refused } = await many(one, b, 6)
  expect([rest, refused?.code]).toEqual([3, 'company-quota'])
  const { told } = await one.spend(b)
  expect(told.find(({ name }) => name === 'cle-month')).toMatchObject({ limit: 50, left: 47 })
})

test('a changed limit applies from the next call', async () => {
  const { keyOf, process, used } = world({ key: { perMonth: 4 } })
  const [key, one] = [keyOf(), process()]
  expect((await many(one, key, 9)).in).toBe(4)
  const raised = { ...key, limits: { key: { perSecond: null, perMonth: 6 }, company: NO_CALL_LIMITS } }
  expect((await many(one, raised, 9)).in).toBe(2)
  expect(await used()).toBe(6)
})

test('without a limit no query is made', async () => {
  const { keyOf, process, used } = world({})
  expect((await process().spend(keyOf())).told).toEqual([])
  expect(await used()).toBeUndefined()
})
