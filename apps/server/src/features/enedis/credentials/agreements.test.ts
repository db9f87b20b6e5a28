import { enedis } from '@voisol/contract/enedis'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  CONSUMER_TEST_PRM,
  LAST_MONTH,
  PRODUCER_TEST_PRM,
  TEST_ACC_NUMBER,
  useEnedisServer,
  WEEK,
} from '../../../../test/enedis-simulator.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { getToday } from '../../../today.ts'

const { at, server } = useEnedisServer()

describe('the catalogue of calls', () => {
  test('lists each call with examples of the company, and every known error', async () => {
    const operation = await makeOperation(server.db, { companyId: at.admin.companyId, accNumber: TEST_ACC_NUMBER })
    const point = await makePoint(server.db, { companyId: at.admin.companyId })
    const place = { companyId: at.admin.companyId, operationId: operation.id, pointId: point.id }
    await makeParticipation(server.db, place)
    const { body } = await call(server, enedis.calls, {}, at.admin)
    expect(body).toMatchObject({ calls: expect.any(Array) })
    expect(body.calls).toHaveLength(20)
    const series = body.calls.find((one: { id: string }) => one.id === 'series')
    expect(series.params.map((param: { example: string }) => param.example)).toContain(TEST_ACC_NUMBER)
    expect(series.params.find((param: { name: string }) => param.name === 'prm').example).toBe(point.prm)
    expect(body.faults.length).toBeGreaterThan(30)
  })
})

describe('collective self-consumption agreements', () => {
  const which = { params: { acc: TEST_ACC_NUMBER } }

  test('are listed with their operation', async () => {
    const operation = await makeOperation(server.db, { companyId: at.admin.companyId, accNumber: TEST_ACC_NUMBER })
    const { body } = await call(server, enedis.agreements, {}, at.admin)
    expect(body.items).toContainEqual(expect.objectContaining({ acc: TEST_ACC_NUMBER, operationId: operation.id }))
    expect(body.trace).toMatchObject({ status: 200, fault: null })
  })

  test('show their points, and which of them the company knows by PRM and direction', async () => {
    const { companyId } = at.admin
    const own = await makePoint(server.db, { companyId, prm: CONSUMER_TEST_PRM, label: 'Atelier' })
    await makePoint(server.db, { companyId, prm: PRODUCER_TEST_PRM })
    const { body } = await call(server, enedis.agreement, which, at.admin)
    expect(body.points).toEqual([
      expect.objectContaining({ prm: CONSUMER_TEST_PRM, role: 'cons', pointId: own.id, label: 'Atelier' }),
      expect.objectContaining({ prm: PRODUCER_TEST_PRM, role: 'prod', pointId: null, label: '' }),
    ])
  })

  test('return series step by step, with null for gaps', async () => {
    const query = { ...LAST_MONTH, type: 'cons', prm: CONSUMER_TEST_PRM }
    const { body } = await call(server, enedis.series, { ...which, query }, at.admin)
    const [series] = body.series
    expect(series).toMatchObject({ prm: CONSUMER_TEST_PRM, type: 'cons', step: 15 })
    expect(series.watts).toHaveLength((dayStart(LAST_MONTH.to) - dayStart(LAST_MONTH.from)) / 15)
    const known: number[] = series.watts.filter((watts: number | null) => watts !== null)
    expect(series.energyWh).toBe(Math.round(known.reduce((sum, watts) => sum + watts, 0) / 4))
  })

  test('can be read for at most 31 days per request', async () => {
    const ask = (more: object) =>
      call(server, enedis.series, { ...which, query: { ...WEEK, type: 'cons', ...more } }, at.admin)
    expect((await ask({ from: addDays(getToday(), -40), to: getToday() })).body.message).toContain('31 au plus')
    expect((await ask({ from: WEEK.to, to: WEEK.from })).body.message).toContain('après le début')
    expect((await ask({ to: addDays(getToday(), 5) })).body.message).toContain('aujourd’hui')
  })

  test('return a refusal of the distributor as a result, not as an error', async () => {
    await at.sandbox.control('PUT', 'faults', [{ kind: '403', times: 1 }])
    const { status, body } = await call(server, enedis.agreements, {}, at.admin)
    expect(status).toBe(200)
    expect(body).toMatchObject({ items: [], trace: { fault: { nature: 'consent' } } })
  })
})
