import { operations } from '@voisol/contract/operations'
import { participations, points } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const PLACE = { postalCode: '69007', city: 'LYON' }
let count = 0
const prm = () => `1912575963${String(++count).padStart(4, '0')}`
const home = (more: object = {}) => ({ lastName: 'Lambert', firstName: `Zoé ${count}`, prm: prm(), ...more })

async function createTestScene(lines: object[]) {
  const user = await makeUser(server.db)
  const body = { name: 'Tilleuls', startsOn: '2026-01-01', participants: lines }
  const { body: operation } = await call(server, operations.create, { body }, user)
  const overview = async () => (await call(server, operations.overview, { params: { id: operation.id } }, user)).body
  const placed = async () =>
    (await call(server, points.list, { query: { operationId: operation.id } }, user)).body.items
  return { user, operation, overview, placed }
}

test('marks a place known by its commune only, and never judges the perimeter by it', async () => {
  const near = { latitude: 45.7412, longitude: 4.8391 }
  const { overview, placed } = await createTestScene([home(near), home({ ...near, latitude: 45.7433 }), home(PLACE)])
  expect((await placed()).map(({ precision }: { precision: string }) => precision).sort()).toEqual([
    'address',
    'address',
    'commune',
  ])
  const seen = await overview()
  expect(seen.verdict).toBe('unsure')
  expect(seen.spread.metres).toBeLessThan(300)
  expect(seen.findings).toEqual([expect.objectContaining({ message: expect.stringContaining('que par sa commune') })])
  expect(seen.places).toHaveLength(3)
  const step = seen.nextSteps.at(-1)
  expect(step.label).toContain('reste à vérifier')
})

test('refuses nothing for communes beyond the limit', async () => {
  const far = { postalCode: '13001', city: 'Marseille' }
  const { overview } = await createTestScene([home(PLACE), home(far)])
  const seen = await overview()
  expect([seen.verdict, seen.spread]).toEqual(['unsure', null])
})

test('judges the perimeter once a place is set by hand', async () => {
  const near = { latitude: 45.7412, longitude: 4.8391 }
  const { user, overview } = await createTestScene([home(near), home(PLACE)])
  const vague = (await overview()).places.find(({ precision }: { precision: string }) => precision === 'commune')
  const pin = (version: number) => ({ latitude: 45.74330049, longitude: 4.8402, version })
  const { body: point } = await call(server, points.place, { params: { id: vague.id }, body: pin(vague.version) }, user)
  expect(point).toMatchObject({ precision: 'pin', latitude: 45.7433, longitude: 4.8402 })
  expect((await overview()).verdict).toBe('fine')
  const late = await call(server, points.place, { params: { id: vague.id }, body: pin(vague.version) }, user)
  expect(late.status).toBe(409)
  const { id, label, segment, subscribedVa, peakWatts, azimuth, tilt, commissionedOn, pointAddress, version } = point
  const rest = { label, segment, subscribedVa, peakWatts, azimuth, tilt, commissionedOn, pointAddress }
  const stays = { ...rest, latitude: point.latitude, longitude: point.longitude, version }
  const { body: same } = await call(server, points.update, { params: { id }, body: { ...stays, label: 'A' } }, user)
  expect(same.precision).toBe('pin')
  const moved = { ...stays, latitude: 45.7, version: same.version }
  expect((await call(server, points.update, { params: { id }, body: moved }, user)).body.precision).toBe('address')
})

test('places a new point in its holder’s commune, and keeps the place of a known one', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const { id: participantId } = await makeParticipant(server.db, { companyId, ...PLACE })
  const enter = (point: object, startsOn: string, endsOn: string | null, digits: string) =>
    call(
      server,
      participations.create,
      { body: { operationId, participantId, prm: digits, direction: 'consumption', point, startsOn, endsOn } },
      user,
    )
  const digits = prm()
  const { body: first } = await enter({}, '2026-01-01', '2026-02-01', digits)
  expect(first.point).toMatchObject({ precision: 'commune', latitude: expect.closeTo(45.75, 1) })
  const { body: told } = await enter({ latitude: 45.7412, longitude: 4.8391 }, '2026-02-01', '2026-03-01', digits)
  expect(told.point).toMatchObject({ precision: 'address', latitude: 45.7412 })
  const { body: kept } = await enter({}, '2026-03-01', null, digits)
  expect(kept.point).toMatchObject({ precision: 'address', latitude: 45.7412 })
})

test('reports a point as not placed when its commune’s centre is unknown', async () => {
  const near = { latitude: 45.7412, longitude: 4.8391 }
  const { overview, placed } = await createTestScene([home(near), home({ postalCode: '59140', city: 'Dunkerque' })])
  const all: { latitude: number | null }[] = await placed()
  expect(all.map(({ latitude }) => latitude).sort()).toEqual([near.latitude, null])
  const { places, unplaced, verdict, findings, spread } = await overview()
  expect([places.length, unplaced.length, verdict, spread]).toEqual([1, 1, 'unsure', null])
  expect(unplaced[0].commune).toBe('Dunkerque')
  expect(findings.map(({ message }: { message: string }) => message)).toEqual([
    '1 point n’est situé que par sa commune\u00a0: la distance reste à vérifier.',
  ])
})

test('reports a point without a known commune separately', async () => {
  const near = { latitude: 45.7412, longitude: 4.8391 }
  const { overview } = await createTestScene([home(near), home()])
  const { unplaced, verdict, findings } = await overview()
  expect([unplaced[0].commune, verdict]).toEqual([null, 'unsure'])
  expect(findings[0].message).toContain('1 point sans coordonnées')
})
