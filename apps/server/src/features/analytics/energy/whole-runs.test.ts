import { expect, test } from 'vitest'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { loadAllocationSumsOfRuns, loadWholeRunSums, splitWholeRuns } from './energy-sums.ts'
import { listMembersOfOperations } from './member-scope.ts'
import { buildMemberPeriods, listRunsInForce, type MemberRunPeriod, splitByRun } from './periods.ts'

const buildRunPeriod = (pointId: string, runId: string, more: Partial<MemberRunPeriod> = {}): MemberRunPeriod => ({
  pointId,
  operationId: 'o',
  group: Number(pointId),
  runId,
  lo: '2026-01-01',
  hi: '2026-02-01',
  runFrom: '2026-01-01',
  runTo: '2026-02-01',
  ...more,
})
const ids = Array.from({ length: 60 }, (_, n) => String(n))

test('reads members with every month of every run together, each for its group', () => {
  const { whole, others } = splitWholeRuns(ids.flatMap((id) => [buildRunPeriod(id, 'a'), buildRunPeriod(id, 'b')]))
  expect(others).toEqual([])
  expect(whole.map(({ runs, groups }) => [runs.length, groups.size, groups.get('7')])).toEqual([[2, 60, 7]])
})

test('reads members who came late, left meanwhile or are in two groups one by one', () => {
  const all = ids.flatMap((id) => [buildRunPeriod(id, 'a'), buildRunPeriod(id, 'b')])
  const later = buildRunPeriod('late', 'b', { group: 90 })
  const half = [buildRunPeriod('half', 'a', { group: 91 }), buildRunPeriod('half', 'b', { group: 92 })]
  const { whole, others } = splitWholeRuns([...all, later, ...half])
  expect(others).toEqual([later, ...half])
  expect(whole[0]?.groups.has('late')).toBe(false)
  expect(whole[0]?.groups.has('half')).toBe(false)
})

test('reads few members one by one, and separates operations', () => {
  const few = ids.slice(0, 9).map((id) => buildRunPeriod(id, 'a', { operationId: 'small' }))
  const { whole, others } = splitWholeRuns([...ids.map((id) => buildRunPeriod(id, 'a')), ...few])
  expect([whole.length, others]).toEqual([1, few])
})

const server = useServer()
const MONTH = { from: '2025-03-01', to: '2025-04-01' }

test('gives the same sums run by run as point by point', async () => {
  const here = await makeOperationFixture(server, { ...MONTH, producers: [(at) => at * 23], consumers: [503, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, MONTH)
  const members = await listMembersOfOperations(server.db, here.companyId, [here.operation.id])
  const pieces = buildMemberPeriods(members, MONTH, (_, at) => at)
  const under = splitByRun(pieces, await listRunsInForce(server.db, here.companyId, [here.operation.id], MONTH))
  const alone = await loadAllocationSumsOfRuns(server.db, here.companyId, under, 'whole')
  const groups = new Map(under.map(({ pointId, group }) => [pointId, group]))
  const [run] = under
  if (!run) throw new Error('no run')
  const together = await loadWholeRunSums(server.db, here.companyId, [{ runs: [run], groups }])
  expect(together).toHaveLength(3)
  for (const { group, total, local } of together) expect(alone.get(group)?.get('')).toMatchObject({ total, local })
  expect(together.some(({ local }) => local > 0)).toBe(true)
})
