import { operations as endpoints } from '@voisol/contract/operations'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildOperationDraft, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationRuns, keys, operations, participations, points } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeEach(async () => {
  admin = await makeUser(server.db)
})

const create = async (more: Record<string, unknown> = {}) =>
  (await call(server, endpoints.create, { body: { ...buildOperationDraft(), ...more } }, admin)).body
const get = async (id: string) => (await call(server, endpoints.get, { params: { id } }, admin)).body
const overview = async (id: string) => (await call(server, endpoints.overview, { params: { id } }, admin)).body
const move = async (id: string, status: string, version?: number) => {
  const body = { status, version: version ?? (await get(id)).version }
  return call(server, endpoints.move, { params: { id }, body }, admin)
}
const remove = (id: string) => call(server, endpoints.remove, { params: { id } }, admin)

describe('the life cycle', () => {
  test('goes from draft to closed, one allowed step at a time', async () => {
    const { id } = await create({ status: 'draft', accNumber: 'ACC00000001' })
    expect((await move(id, 'active')).body.code).toBe('invalid-transition')
    for (const status of ['pending', 'draft', 'pending', 'active', 'suspended', 'active', 'closed'])
      expect((await move(id, status)).body.status).toBe(status)
    const refused = await move(id, 'active')
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('Clôturée')
    expect((await overview(id)).transitions).toEqual([])
  })

  test('lists everything missing before activation', async () => {
    const { id } = await create({ participants: [] })
    const { status, body } = await move(id, 'active')
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'invalid-transition' })
    for (const part of ['numéro d’opération', 'il manque un producteur', 'il manque un consommateur'])
      expect(body.message).toContain(part)
    const { nextSteps } = await overview(id)
    expect(nextSteps.map((step: { done: boolean }) => step.done)).toEqual([false, false, false, true, true])
  })

  test('requires a key in force on the first day', async () => {
    const { id } = await create({ accNumber: 'ACC00000002', startsOn: '2026-01-01' })
    await server.db.update(keys).set({ startsOn: '2026-01-02' }).where(eq(keys.operationId, id))
    expect((await move(id, 'active')).body.message).toContain('clé de répartition n’est en vigueur au 01/01/2026')
    await server.db.update(keys).set({ startsOn: '2025-12-01' }).where(eq(keys.operationId, id))
    expect((await move(id, 'active')).body).toMatchObject({ status: 'active', startsOn: '2026-01-01' })
  })

  test('refuses activation beyond the legal power or distance', async () => {
    const { id } = await create({ accNumber: 'ACC00000003' })
    const plant = and(eq(points.companyId, admin.companyId), eq(points.direction, 'production'))
    await server.db.update(points).set({ peakWatts: 5_000_001 }).where(plant)
    expect((await move(id, 'active')).body.message).toMatch(/5.MW/)
    expect((await overview(id)).findings).toMatchObject([{ severity: 'refused' }])
    await server.db.update(points).set({ peakWatts: 36_000, latitude: 45.9 }).where(plant)
    const { findings, spread } = await overview(id)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({ severity: 'refused', message: expect.stringMatching(/2.km/) })
    expect((await move(id, 'active')).body.message).toMatch(/au-delà de 2.km/)
    expect(spread.metres).toBeGreaterThan(15_000)
    expect([spread.from, spread.to].join()).toContain('Copropriété Brossolette')
  })

  test('refuses a change based on an outdated version', async () => {
    const { id } = await create()
    await move(id, 'draft')
    expect((await move(id, 'pending', 1)).body.code).toBe('stale')
  })

  test('ends the participations, so that another operation can take the points', async () => {
    const draft = buildOperationDraft()
    const yesterday = addDays(getToday(), -1)
    const lines = draft.participants.map((line, n) => (n ? { ...line, startsOn: yesterday } : line))
    const { id } = await create({ ...draft, participants: lines })
    expect((await move(id, 'closed')).body).toMatchObject({ status: 'closed', endsOn: getToday(), participants: 0 })
    const left = await server.db.select().from(participations).where(eq(participations.operationId, id))
    expect(left.map(({ startsOn, endsOn }) => [startsOn, endsOn])).toEqual(Array(3).fill([yesterday, getToday()]))
    expect((await create(draft)).participants).toBe(4)
  })
})

test('shows the points’ places on the overview', async () => {
  const { id } = await create()
  const { places, spread, findings, transitions } = await overview(id)
  expect(places).toHaveLength(4)
  expect(places.filter((place: { direction: string }) => place.direction === 'production')).toMatchObject([
    { label: 'Copropriété Brossolette', latitude: 45.76, longitude: 4.85 },
  ])
  expect(spread.metres).toBeGreaterThan(330)
  expect(spread.metres).toBeLessThan(340)
  expect(findings.filter((finding: { severity: string }) => finding.severity === 'refused')).toEqual([])
  expect(transitions).toEqual(['active', 'draft', 'closed'])
})

describe('removing an operation', () => {
  test('deletes a draft with its participations and key', async () => {
    const { id } = await create({ status: 'draft' })
    expect((await remove(id)).body).toEqual({ success: true })
    expect(await server.db.select().from(operations).where(eq(operations.id, id))).toEqual([])
    expect(await server.db.select().from(keys).where(eq(keys.operationId, id))).toEqual([])
    expect(await server.db.select().from(points).where(eq(points.companyId, admin.companyId))).toHaveLength(4)
  })

  test('refuses an operation that has been used', async () => {
    const pending = await create()
    expect((await remove(pending.id)).status).toBe(409)
    const { id, companyId } = await makeOperation(server.db, { companyId: admin.companyId, status: 'draft' })
    await server.db.insert(allocationRuns).values({
      companyId,
      operationId: id,
      startsOn: '2026-01-01',
      endsOn: '2026-02-01',
      kind: 'provisional',
      status: 'done',
      engineVersion: '1.0.0',
    })
    expect((await remove(id)).body.message).toContain('répartition')
  })
})
