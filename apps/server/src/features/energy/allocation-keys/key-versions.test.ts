import { keys } from '@voisol/contract/keys'
import { MISSING } from '@voisol/energy/series'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, makeRun, requestKeyAdoption } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { getEffectiveKeys, getKeyVersionPeriod, type KeyVersion, toEngineKey } from '../../../core/allocation-keys.ts'
import { buildSubPeriods, type OperationMember } from '../../../core/operation-members.ts'
import { allocationRuns } from '../../../db/schema/index.ts'

const version = (number: number, startsOn: string, more: Partial<KeyVersion> = {}): KeyVersion =>
  ({ id: `k${number}`, number, startsOn, status: 'adopted', method: 'default', shares: [], ...more }) as KeyVersion // what is read of it

describe('period of a version', () => {
  const all = [
    version(1, '2025-01-09'),
    version(2, '2025-03-07'),
    version(3, '2025-02-11', { status: 'draft' }),
    version(4, '2025-05-17'),
  ]

  test('ends when the next adopted one begins, and not with a draft', () => {
    expect(all.map((one) => getKeyVersionPeriod(one, all).to)).toEqual(['2025-03-07', '2025-05-17', '2025-03-07', null])
  })

  test('is split by version over a period, without drafts', () => {
    const held = getEffectiveKeys(all, '2025-02-01', '2025-05-18')
    expect(held.map(({ version: { number }, from, to }) => [number, from, to])).toEqual([
      [1, '2025-02-01', '2025-03-07'],
      [2, '2025-03-07', '2025-05-17'],
      [4, '2025-05-17', '2025-05-18'],
    ])
    expect(getEffectiveKeys(all, '2025-03-07', '2025-05-17').map(({ version: { number } }) => number)).toEqual([2])
  })
})

test('prefers the coefficient file, and applies the contract’s share elsewhere', () => {
  const shares = [{ pointId: 'c', producerId: 'p', share: 317_000, rank: null }]
  const curve = { pointId: 'c', producerId: 'p', values: Int32Array.of(113_000, MISSING, 0) }
  expect(toEngineKey(version(1, '2025-01-09', { method: 'complete', shares }), [curve])).toEqual({
    method: 'complete',
    coefficients: { p: { c: Int32Array.of(113_000, 317_000, 0) } },
  })
})

test('ends a sub-period when somebody enters or leaves, with the exit day excluded', () => {
  const member = (pointId: string, startsOn: string, endsOn: string | null): OperationMember => ({
    pointId,
    prm: '',
    label: '',
    holder: '',
    holderId: '',
    direction: 'consumption',
    storage: false,
    startsOn,
    endsOn,
  })
  const members = [
    member('a', '2025-01-09', '2025-03-07'),
    member('b', '2025-03-07', null),
    member('c', '2025-05-17', null),
  ]
  const parts = buildSubPeriods(members, { from: '2025-02-01', to: '2025-05-17' })
  expect(parts.map(({ from, to, consumers }) => [from, to, consumers])).toEqual([
    ['2025-02-01', '2025-03-07', ['a']],
    ['2025-03-07', '2025-05-17', ['b']],
  ])
})

const server = useServer()

async function createTestScene() {
  const here = await makeOperationFixture(server, {
    from: '2025-05-01',
    to: '2025-05-02',
    producers: [997],
    consumers: [313, 411],
  })
  const run = (startsOn: string, endsOn: string) =>
    makeRun(server.db, { companyId: here.companyId, operationId: here.operation.id, startsOn, endsOn })
  const stale = async (runs: { id: string }[]) => {
    const rows = await server.db.select().from(allocationRuns).where(eq(allocationRuns.companyId, here.companyId))
    return runs.map(({ id }) => rows.some((row) => row.id === id && row.staleAt !== null))
  }
  return { ...here, run, stale }
}
const update = (token: string, id: string, body: object) =>
  call(
    server,
    keys.update,
    { params: { id }, body: { method: 'equal', label: '', decimals: 1, shares: [], ...body } },
    { token },
  )

test.each([
  ['earlier', '2025-03-07', '2025-02-03', [false, true, true, true, false]],
  ['later', '2025-02-03', '2025-03-07', [false, true, true, true, false]],
])('invalidates the days of both periods when a version is moved %s', async (_, from, to, expected) => {
  const here = await createTestScene()
  await requestKeyAdoption(server, here, { method: 'default', startsOn: '2025-01-09' })
  await requestKeyAdoption(server, here, { method: 'default', startsOn: '2025-05-17' })
  const { body } = await requestKeyAdoption(server, here, { method: 'equal', startsOn: from })
  const runs = [
    await here.run('2025-02-02', '2025-02-03'),
    await here.run('2025-02-03', '2025-02-04'),
    await here.run('2025-03-07', '2025-03-08'),
    await here.run('2025-05-16', '2025-05-17'),
    await here.run('2025-05-17', '2025-05-18'),
  ]
  expect((await update(here.token, body.id, { startsOn: to, version: body.version })).status).toBe(200)
  expect(await here.stale(runs)).toEqual(expected)
})

test('invalidates up to the end of the later period when a version moves past the next one', async () => {
  const here = await createTestScene()
  await requestKeyAdoption(server, here, { method: 'default', startsOn: '2025-03-07' })
  await requestKeyAdoption(server, here, { method: 'default', startsOn: '2025-05-17' })
  const { body } = await requestKeyAdoption(server, here, { method: 'equal', startsOn: '2025-02-03' })
  const runs = [await here.run('2025-04-11', '2025-04-12'), await here.run('2025-05-17', '2025-05-18')]
  const answer = await update(here.token, body.id, { startsOn: '2025-04-11', version: body.version })
  expect(answer.status).toBe(200)
  expect(await here.stale(runs)).toEqual([true, false])
})

test('checks an adopted version again when it is changed', async () => {
  const here = await createTestScene()
  const { body } = await requestKeyAdoption(server, here, { method: 'default', startsOn: '2025-02-03' })
  const shares = here.consumers.map(({ id: pointId }) => ({ pointId, share: 500_001 }))
  const change = { method: 'static', shares, startsOn: '2025-02-03', version: body.version }
  expect((await update(here.token, body.id, change)).status).toBe(422)
  const [first, second] = shares.map(({ pointId }) => ({ pointId, share: 499_999 }))
  expect((await update(here.token, body.id, { ...change, shares: [first, second] })).status).toBe(200)
})
