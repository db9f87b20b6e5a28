import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { projects as endpoints } from '@voisol/contract/projects'
import { addDays, listDays } from '@voisol/energy/calendar'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCandidateLine,
  buildProjectUpdate,
  buildRoofLine,
  makeProject,
} from '../../../../test/factories-analytics.ts'
import { buildCurveDay, makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeEach(async () => {
  admin = await makeUser(server.db)
})

const make = (more = {}) => makeProject(server, admin.token, more)
const study = (id: string) => call(server, endpoints.study, { params: { id } }, admin)
const get = async (id: string) => (await call(server, endpoints.get, { params: { id } }, admin)).body
const update = (project: { id: string }, change: Record<string, unknown>) =>
  call(server, endpoints.update, { params: { id: project.id }, body: buildProjectUpdate(project, change) }, admin)
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

describe('the study', () => {
  test('balances a typical year hour by hour, in whole watt-hours and cents', async () => {
    const { id } = await make({
      roofs: [buildRoofLine()],
      candidates: [buildCandidateLine(1), buildCandidateLine(2, { profile: 'office', yearlyKwh: 20_000 })],
    })
    const { status, body } = await study(id)
    expect(status).toBe(200)
    const { study: result } = body
    expect(result.produced / 36_000).toBeGreaterThan(1100)
    expect(result.produced / 36_000).toBeLessThan(1300)
    expect(result.consumed / 1000).toBeCloseTo(23_000, -2)
    expect(result.allocated + result.surplus).toBe(result.produced)
    expect(sum(result.months.map((m: { allocated: number }) => m.allocated))).toBe(result.allocated)
    expect(sum(result.participants.map((p: { allocated: number }) => p.allocated))).toBe(result.allocated)
    expect(sum(result.participants.map((p: { savingsCents: number }) => p.savingsCents))).toBe(result.savingsCents)
    expect(result.selfConsumption).toBeCloseTo(result.allocated / result.produced, 10)
    expect(result.investmentCents).toBe(36 * 120_000)
    const income = Math.round((result.allocated * 1200) / 1e5) + Math.round((result.surplus * 400) / 1e5)
    expect(result.incomeCents).toBe(income)
    expect(result.payback).toBe(Math.round((result.investmentCents / income) * 10) / 10)
    expect(result.days).toHaveLength(4)
    const summer = result.days.find((day: { season: string }) => day.season === 'summer')
    expect(summer.produced[2]).toBe(0)
    expect([13, 14]).toContain(summer.produced.indexOf(Math.max(...summer.produced)))
    expect(await get(id)).toMatchObject({
      studyStale: false,
      selfConsumption: result.selfConsumption,
      payback: result.payback,
    })
  })

  test('is marked outdated when an input changes, and not otherwise', async () => {
    const created = await make({ roofs: [buildRoofLine()], candidates: [buildCandidateLine(1)] })
    const { body: project } = await study(created.id)
    const renamed = await update(project, { name: 'Autre nom', city: 'Bron' })
    expect(renamed.body.studyStale).toBe(false)
    const dearer = await update(renamed.body, { localPrice: 1300 })
    expect(dearer.body.studyStale).toBe(true)
    expect((await study(created.id)).body.studyStale).toBe(false)
  })

  test('is refused in French when an input is missing', async () => {
    const bare = await make()
    expect((await study(bare.id)).body).toMatchObject({
      message: 'Ajoutez au moins une toiture avant de lancer l’étude.',
    })
    const place = { latitude: null, longitude: null }
    const lost = await make({
      postalCode: '',
      roofs: [buildRoofLine(place)],
      candidates: [buildCandidateLine(1, place)],
    })
    expect((await study(lost.id)).body.issues[0].path).toBe('postalCode')
    await update(lost, { postalCode: '13002' })
    const { body } = await study(lost.id)
    expect(body.study.produced / 36_000).toBeGreaterThan(1350)
  })

  test('has no payback with costs above income, and no cost for a member without energy', async () => {
    const { id } = await make({
      yearlyCosts: 100_000_000,
      roofs: [buildRoofLine()],
      candidates: [buildCandidateLine(1, { yearlyKwh: 0 })],
    })
    const { body } = await study(id)
    expect(body.study).toMatchObject({
      payback: null,
      allocated: 0,
      consumed: 0,
      selfProduction: null,
      savingsCents: 0,
    })
    expect(body.study.participants[0]).toMatchObject({ coverage: null, measured: false })
  })

  test.each(['default', 'equal', 'priority', 'static'])('runs with the key %s', async (method) => {
    const { id } = await make({
      method,
      roofs: [buildRoofLine({ peakWatts: 3000 })],
      candidates: [buildCandidateLine(1), buildCandidateLine(2)],
    })
    const { body } = await study(id)
    const [first, second] = body.study.participants
    if (method === 'priority') expect(first.allocated).toBeGreaterThan(second.allocated * 1.5)
    expect(body.study.allocated).toBeGreaterThan(0)
  })

  test('uses readings that cover the year, and is outdated by their correction', async () => {
    const point = await makeMeter(server.db, { companyId: admin.companyId })
    const scarce = await makeMeter(server.db, { companyId: admin.companyId })
    const store = (pointId: string, from: string, to: string, watts: number) =>
      storeReadingsAndNotify(
        server.db,
        admin.companyId,
        listDays(from, to).map((day) => buildCurveDay(pointId, day, watts)),
        {
          source: 'api',
          receivedAt: new Date(),
        },
      )
    await store(point.id, addDays(getToday(), -340), addDays(getToday(), -1), 500)
    await store(scarce.id, addDays(getToday(), -100), getToday(), 500)
    const candidates = [buildCandidateLine(1, { pointId: point.id }), buildCandidateLine(2, { pointId: scarce.id })]
    const { id } = await make({ roofs: [buildRoofLine()], candidates })
    const { body } = await study(id)
    const [measured, profiled] = body.study.participants
    expect(measured).toMatchObject({ measured: true })
    expect(measured.consumed / 1000).toBeGreaterThan(0.5 * 8760 * 0.93)
    expect(measured.consumed / 1000).toBeLessThan(0.5 * 8760 * 1.07)
    expect(profiled).toMatchObject({ measured: false })
    expect(profiled.consumed / 1000).toBeCloseTo(3000, -2)
    await store(point.id, addDays(getToday(), -50), addDays(getToday(), -49), 900)
    expect((await get(id)).studyStale).toBe(true)
  })
})

describe('converting a project to an operation', () => {
  const agreed = async (more = {}) => {
    const { id } = await make({
      roofs: [buildRoofLine()],
      candidates: [buildCandidateLine(), buildCandidateLine(), buildCandidateLine(undefined, { prm: '' })],
      ...more,
    })
    for (const [at, status] of ['study', 'agreement'].entries())
      await call(server, endpoints.move, { params: { id }, body: { status, version: at + 1 } }, admin)
    return get(id)
  }
  const turn = ({ id, version }: { id: string; version: number }, startsOn = getToday()) =>
    call(server, endpoints.createOperation, { params: { id }, body: { startsOn, version } }, admin)

  test.each(['default', 'static', 'priority', 'equal'])(
    'takes over candidates with a PRM and the key %s',
    async (method) => {
      const project = await agreed({ method, address: '3 rue des Cèdres', city: 'Lyon' })
      const { status, body } = await turn(project)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        name: project.name,
        status: 'pending',
        address: '3 rue des Cèdres',
        city: 'Lyon',
        totalCapacity: 36,
        method,
        participants: 2,
        consumers: 2,
        producers: 0,
        unitPrice: 1200,
        startsOn: getToday(),
      })
      expect(body.description).toContain('Bâtiment A (36\u00a0kWc)')
      const list = await call(server, participants.list, { query: { operationId: body.id } }, admin)
      expect(list.body.items.map(({ name }: { name: string }) => name).sort()).toEqual(
        project.candidates
          .slice(0, 2)
          .map(({ name }: { name: string }) => name)
          .sort(),
      )
      expect(await get(project.id)).toMatchObject({
        status: 'running',
        operationId: body.id,
        transitions: [],
        version: 4,
      })
      const removed = await call(server, endpoints.remove, { params: { id: project.id } }, admin)
      expect(removed.body.code).toBe('conflict')
    },
  )

  test('happens once, from the agreement on, and within the perimeter', async () => {
    const early = await make({ roofs: [buildRoofLine()], candidates: [buildCandidateLine()] })
    expect((await turn(early)).body.code).toBe('invalid-transition')
    const far = await agreed({ candidates: [buildCandidateLine(undefined, { latitude: 46.5 })] })
    expect((await turn(far)).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('au-delà de 2\u00a0km'),
    })
    const project = await agreed()
    expect((await turn(project)).status).toBe(200)
    expect((await turn(project)).body.code).toBe('stale')
    expect((await turn({ ...project, version: 4 })).body.code).toBe('invalid-transition')
  })

  test('refuses a PRM used elsewhere by its person’s name, and creates nothing', async () => {
    const first = await agreed()
    await turn(first)
    const again = await agreed({ candidates: [{ ...first.candidates[0], name: 'Madame Bis' }] })
    const { status, body } = await turn(again)
    expect(status).toBe(422)
    expect(body.message).toContain('Madame Bis')
    expect((await call(server, operations.list, {}, admin)).body.total).toBe(1)
    expect(await get(again.id)).toMatchObject({ status: 'agreement', operationId: null })
  })
})
