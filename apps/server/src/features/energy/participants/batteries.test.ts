import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { type Participation, participations, points } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()

let count = 0
async function createTestScene() {
  const { companyId, token } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const { id: participantId } = await makeParticipant(server.db, { companyId })
  const prm = `2740000${String(++count).padStart(7, '0')}`
  const draft = { operationId, participantId, prm, direction: 'consumption', startsOn: '2026-03-07' }
  const enter = (more: object = {}) =>
    call(server, participations.create, { body: { ...draft, storage: true, ...more } }, { token })
  const stays = async (id = participantId): Promise<Participation[]> => {
    const { body } = await call(server, participants.get, { params: { id } }, { token })
    return body.participations as Participation[]
  }
  return { companyId, token, operationId, participantId, prm, draft, enter, stays }
}

const sides = (all: Participation[]) =>
  all
    .map(({ point, startsOn, endsOn }) => `${point.direction} ${point.storage} ${point.segment} ${startsOn} ${endsOn}`)
    .sort()

test('adds a battery with both directions, whichever is given', async () => {
  for (const direction of ['consumption', 'production']) {
    const { enter, stays } = await createTestScene()
    const { status, body } = await enter({ direction, point: { label: 'Batterie du quai', segment: 'C4' } })
    expect(status).toBe(200)
    expect(body.point).toMatchObject({ direction, storage: true, label: 'Batterie du quai' })
    expect(sides(await stays())).toEqual(['consumption true C4 2026-03-07 null', 'production true P4 2026-03-07 null'])
  }
})

test('keeps an ordinary point single, and distinguishes it', async () => {
  const { enter, stays } = await createTestScene()
  expect((await enter({ storage: false })).status).toBe(200)
  expect(sides(await stays())).toEqual(['consumption false C5 2026-03-07 null'])
})

test('applies dates, changes of holder and removal to both directions', async () => {
  const { companyId, token, enter, stays } = await createTestScene()
  const { body } = await enter()
  const dates = { startsOn: '2026-03-09', endsOn: '2026-11-17', noticeOn: null, agreementSignedOn: null }
  const params = { id: body.id }
  const changed = await call(server, participations.update, { params, body: { ...dates, version: 1 } }, { token })
  expect(changed.status).toBe(200)
  expect(sides(await stays())).toEqual([
    'consumption true C5 2026-03-09 2026-11-17',
    'production true P4 2026-03-09 2026-11-17',
  ])
  const { id: heir } = await makeParticipant(server.db, { companyId })
  const on = { participantId: heir, on: '2026-07-13' }
  const given = await call(server, participations.transfer, { params, body: on }, { token })
  expect(given.status).toBe(200)
  expect(sides(await stays(heir))).toEqual([
    'consumption true C5 2026-07-13 2026-11-17',
    'production true P4 2026-07-13 2026-11-17',
  ])
  const gone = await call(server, participations.remove, { params: { id: given.body.id } }, { token })
  expect(gone.status).toBe(200)
  expect(await stays(heir)).toEqual([])
})

test('includes the other direction in bulk changes', async () => {
  const { token, enter, stays } = await createTestScene()
  const { body } = await enter()
  const exit = { ids: [body.id], change: 'exit', on: '2026-09-21', noticeOn: null, dryRun: false }
  const { body: report } = await call(server, participations.bulk, { body: exit }, { token })
  expect(report).toMatchObject({ changed: 2, refused: 0 })
  expect(sides(await stays()).every((side) => side.endsWith('2026-09-21'))).toBe(true)
})

test('moves both directions when changing their holder in bulk', async () => {
  const { token, enter, stays, participantId } = await createTestScene()
  await enter()
  const work = { selection: { ids: [participantId] }, action: { kind: 'exit', on: '2026-09-21', noticeOn: null } }
  const { body: tried } = await call(server, participants.bulk, { body: { ...work, dryRun: true } }, { token })
  expect(tried).toMatchObject({ done: 2, refused: 0 })
  const made = { ...work, dryRun: false, seal: tried.seal }
  expect((await call(server, participants.bulk, { body: made }, { token })).body).toMatchObject({ done: 2, refused: 0 })
  expect(sides(await stays()).every((side) => side.endsWith('2026-09-21'))).toBe(true)
})

test('refuses to change whether a meter is a battery once it took part', async () => {
  const { enter, draft, token } = await createTestScene()
  await enter({ storage: false, endsOn: '2026-05-03' })
  const later = await enter({ startsOn: '2026-05-03' })
  expect(later.status).toBe(409)
  expect(later.text).toContain('sans être une batterie')
  const other = await createTestScene()
  await other.enter({ endsOn: '2026-05-03' })
  const alone = await other.enter({ storage: false, startsOn: '2026-05-03' })
  expect(alone.status).toBe(409)
  expect(alone.text).toContain('est celui d’une batterie')
  const list = await call(server, points.list, { query: { operationId: draft.operationId } }, { token })
  expect(list.body.items.map(({ storage }: { storage: boolean }) => storage)).toEqual([false])
})

test('refuses a battery whose one direction is in another operation', async () => {
  const { companyId, enter, prm, draft, token, stays } = await createTestScene()
  const { id: operationId } = await makeOperation(server.db, { companyId })
  expect((await enter({ operationId })).status).toBe(200)
  const twice = await enter()
  expect(twice.status).toBe(409)
  expect(twice.text).toContain('un point n’est que dans une opération à la fois')
  expect(await stays()).toHaveLength(2)
  const named = { params: { id: (await stays())[0]?.point.id ?? '' } }
  const { body: point } = await call(server, points.get, named, { token })
  const { label: _, ...fields } = pointFields(point)
  const renamed = { ...fields, label: 'Batterie du parc' }
  expect((await call(server, points.update, { ...named, body: renamed }, { token })).status).toBe(200)
  const all = await stays()
  expect(all.map((stay) => [stay.point.label, stay.point.prm])).toEqual([
    ['Batterie du parc', prm],
    ['Batterie du parc', prm],
  ])
  expect(draft.prm).toBe(prm)
})

test('ignores another company’s battery with the same PRM', async () => {
  const [ours, theirs] = [await createTestScene(), await createTestScene()]
  const { body } = await ours.enter()
  const dates = { startsOn: '2026-03-09', endsOn: null, noticeOn: null, agreementSignedOn: null, version: 1 }
  const params = { id: body.id }
  const { token } = theirs
  expect((await call(server, participations.update, { params, body: dates }, { token })).status).toBe(404)
  expect((await call(server, participations.remove, { params }, { token })).status).toBe(404)
  expect((await theirs.enter({ participantId: ours.participantId })).status).toBe(404)
  expect((await theirs.enter({ operationId: ours.operationId })).status).toBe(404)
  expect((await theirs.enter({ prm: ours.prm, storage: false })).status).toBe(200)
  expect(sides(await theirs.stays())).toEqual(['consumption false C5 2026-03-07 null'])
  expect(sides(await ours.stays())).toHaveLength(2)
})

function pointFields({ label, segment, subscribedVa, peakWatts, azimuth, tilt, ...rest }: Record<string, unknown>) {
  const { commissionedOn, pointAddress, latitude, longitude, version } = rest
  const plant = { peakWatts, azimuth, tilt, commissionedOn }
  return { label, segment, subscribedVa, ...plant, pointAddress, latitude, longitude, version }
}

test('counts a battery’s holder neither as consumer nor producer, and its power as no plant', async () => {
  const { companyId, token, operationId, enter } = await createTestScene()
  await enter({ point: { peakWatts: 7_300 } })
  const { id: home } = await makeParticipant(server.db, { companyId })
  await enter({ participantId: home, prm: '27400009000017', storage: false })
  await enter({ participantId: home, prm: '27400009000018' })
  const { body } = await call(server, operations.get, { params: { id: operationId } }, { token })
  expect(body).toMatchObject({ participants: 2, consumers: 1, producers: 0 })
  expect(body.totalCapacity).not.toBe(7.3)
  const rolesOf = async (query: object) =>
    (
      await call(server, participants.list, { query: { operationId, ...query } as Record<string, string> }, { token })
    ).body.items
      .map(({ id, role }: { id: string; role: string }) => `${id === home ? 'home' : 'battery'} ${role}`)
      .sort()
  expect(await rolesOf({})).toEqual(['battery storage', 'home consumer'])
  expect(await rolesOf({ role: 'storage' })).toEqual(['battery storage'])
  expect(await rolesOf({ role: 'both' })).toEqual([])
})
