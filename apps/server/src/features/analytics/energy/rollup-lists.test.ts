import { energy } from '@voisol/contract/energy'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { listStaleRollups, markAllRollupsStale } from '../../../core/stale-rollups.ts'
import { participations } from '../../../db/schema/index.ts'
import { listRunsInForce } from './periods.ts'
import { refreshRollups } from './rollup-write.ts'

const server = useServer()
const DAYS = { from: '2025-03-03', to: '2025-03-11' }
const WIDE = { from: '2025-01-15', to: '2025-04-20' }
type Scene = Awaited<ReturnType<typeof makeOperationFixture>>
type Row = {
  id: string
  name: string
  prm: string
  direction: string
  operationId: string
  total: number
  share: number | null
}

let scenes: Scene[]
/** Two operations, and a member who left one of them and came back. */
beforeAll(async () => {
  const first = await makeOperationFixture(server, { ...DAYS, producers: [613], consumers: [599, 307, 313] })
  const { companyId } = first
  scenes = [first, await makeOperationFixture(server, { companyId, ...DAYS, producers: [419], consumers: [211, 223] })]
  const [seat] = await server.db
    .update(participations)
    .set({ endsOn: '2025-03-05' })
    .where(and(eq(participations.companyId, companyId), eq(participations.pointId, first.consumers[0]?.id ?? '')))
    .returning()
  if (!seat) throw new Error('nobody took part')
  const { id: _, ...again } = seat
  await server.db.insert(participations).values({ ...again, startsOn: '2025-03-07', endsOn: null })
  for (const scene of scenes) {
    await requestKeyAdoption(server, scene, { method: 'default' })
    await runAllocation(server, scene, DAYS)
  }
  await waitForJobs(server)
  await refreshRollups(server.db, companyId)
})

const ask = async (e: Parameters<typeof call>[1], query: Record<string, string>) => {
  const answer = await call(server, e, { query }, { token: scenes[0]?.token ?? '' })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

async function pagesOf(sort: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await ask(energy.members, { ...DAYS, sort, size: '2', page: String(page) })
    if (total !== 7) throw new Error(`${total} members by ${sort}`)
    if (!items.length) return rows
    rows.push(...items)
  }
}

test.each(['name', '-name', 'operationName', 'prm', 'direction'])(
  'pages members by %s in the order of the whole list, each once',
  async (sort) => {
    const { items: whole } = await ask(energy.members, { ...DAYS, sort: '-local' })
    const byPoint = (rows: Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const paged = await pagesOf(sort)
    expect(byPoint(paged)).toEqual(byPoint(whole))
    const hours = (2 + 4) * 24
    expect(paged.find(({ id }) => id === scenes[0]?.consumers[0]?.id)?.total).toBe(599 * hours)
    const named = (rows: Row[]) => rows.map(({ name, prm }) => `${name.toLowerCase()} ${prm}`)
    if (sort === 'name') expect(named(paged)).toEqual(named(paged).toSorted())
    if (sort === '-name') expect(named(paged)).not.toEqual(named(paged).toSorted())
  },
)

const fileOf = async (query: Record<string, string>): Promise<string[]> => {
  const { text } = await call(
    server,
    energy.membersExport,
    { query: { ...DAYS, ...query, format: 'csv' } },
    { token: scenes[0]?.token ?? '' },
  )
  return text.match(/\b\d{14}\b/g) ?? []
}
const prms = (rows: Row[]) => rows.map(({ prm }) => prm)

test.each(['total', '-local', 'rate', '-share', 'valueCents'])(
  'pages members by %s as in the export, from rollups and from marked days',
  async (sort) => {
    const companyId = scenes[0]?.companyId ?? 0
    const whole = await fileOf({ sort })
    expect(new Set(whole).size).toBe(7)
    const kept = await pagesOf(sort)
    expect(prms(kept)).toEqual(whole)
    // Nothing has a price here: unknown values are sorted by PRM.
    if (sort === 'valueCents') expect(whole).toEqual(whole.toSorted())
    for (const side of Map.groupBy(kept, (row) => `${row.operationId} ${row.direction}`).values())
      expect(side.reduce((sum, { share }) => sum + (share ?? 0), 0)).toBeCloseTo(1, 9)
    await markAllRollupsStale(server.db, companyId)
    expect(await pagesOf(sort)).toEqual(kept)
    await refreshRollups(server.db, companyId)
    const filters: Record<string, string>[] = [
      { direction: 'consumption' },
      { direction: 'production' },
      { q: prms(kept)[1] ?? '' },
    ]
    for (const asked of filters) {
      const { items, total } = await ask(energy.members, { ...DAYS, sort, ...asked })
      expect(prms(items)).toEqual(await fileOf({ sort, ...asked }))
      expect([total, items.length > 0]).toEqual([items.length, true])
    }
  },
)

test.each([DAYS, WIDE])(
  'draws the sparklines of $from to $to the same from rollups and from marked days',
  async (period) => {
    const companyId = scenes[0]?.companyId ?? 0
    const drawn = async () =>
      (await ask(energy.operations, period)).items.map(({ sparkline }: { sparkline: (number | null)[] }) => sparkline)
    expect(await listStaleRollups(server.db, companyId)).toEqual(new Map())
    const kept = await drawn()
    expect(kept.flat().filter((value: number | null) => value !== null).length).toBeGreaterThan(3)
    await markAllRollupsStale(server.db, companyId)
    expect(await drawn()).toEqual(kept)
    await refreshRollups(server.db, companyId)
  },
)

test('splits a run with a missing day into two ranges', async () => {
  const { companyId, operation } = scenes[1] as Scene
  const spans = async () =>
    (await listRunsInForce(server.db, companyId, [operation.id], WIDE)).map(({ from, to, runFrom, runTo }) => [
      from,
      to,
      runFrom,
      runTo,
    ])
  expect(await spans()).toEqual([[DAYS.from, DAYS.to, DAYS.from, DAYS.to]])
  await server.db.execute(sql`delete from allocation_coverage
    where company_id = ${companyId} and operation_id = ${operation.id} and day = '2025-03-06'`)
  expect(await spans()).toEqual([
    [DAYS.from, '2025-03-06', DAYS.from, DAYS.to],
    ['2025-03-07', DAYS.to, DAYS.from, DAYS.to],
  ])
})
