import { ParticipantLine } from '@voisol/contract/participants'
import { participations as endpoints } from '@voisol/contract/points'
import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { events, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { AppError } from '../../../http/errors.ts'
import { enrolParticipants } from './enrol-participants.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const actorOf = (user: User) => ({ ...user, userId: user.id, space: 'office', operationIds: null }) as unknown as Actor // only these are read
const lines = (...values: object[]) => values.map((value) => ParticipantLine.parse(value))
const enrol = (user: User, operationId: string, values: ParticipantLine[], startsOn = '2026-01-01') =>
  transaction(server.db, (tx) => enrolParticipants(tx, actorOf(user), operationId, values, startsOn))
const prm = (n: number) => `30000000${String(n).padStart(6, '0')}`
const mine = (companyId: number) => server.db.select().from(participants).where(eq(participants.companyId, companyId))

test('matches known people by e-mail, SIREN, name and address or PRM', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const known = await makeParticipant(server.db, { companyId, email: 'ana@exemple.fr' })
  const town = await makeParticipant(server.db, { companyId, kind: 'organisation', name: 'Ville', siren: '210300217' })
  const neighbour = await makeParticipant(server.db, { companyId, name: 'Zoé Léger', address: '3, rue du Lac' })
  const { id } = await makeOperation(server.db, { companyId })
  const map = await enrol(
    user,
    id,
    lines(
      { lastName: 'Autre', firstName: 'Nom', email: 'ANA@exemple.fr', prm: prm(1), phone: '0600000000' },
      { name: 'Commune', siren: '210 300 217', prm: prm(2), direction: 'production', peakWatts: 9000 },
      { firstName: 'Zoe', lastName: 'LEGER', address: '3 Rue du lac', prm: prm(3) },
      { firstName: 'Nour', lastName: 'Petit', prm: prm(4) },
      { firstName: 'Nour', lastName: 'Petit', prm: prm(4), direction: 'production' },
      { firstName: 'Nour', lastName: 'Petit', prm: prm(5) },
    ),
  )
  expect([...map.keys()]).toEqual(
    [1, 2, 3, 4, 4, 5].map((n, i) => `${prm(n)} ${[1, 4].includes(i) ? 'production' : 'consumption'}`),
  )
  const held = await server.db.select().from(participations).where(eq(participations.operationId, id))
  const holder = (key: string) => held.find(({ pointId }) => pointId === map.get(key))?.participantId
  expect(holder(`${prm(1)} consumption`)).toBe(known.id)
  expect(holder(`${prm(2)} production`)).toBe(town.id)
  expect(holder(`${prm(3)} consumption`)).toBe(neighbour.id)
  expect(holder(`${prm(4)} consumption`)).toBe(holder(`${prm(4)} production`))
  const people = await mine(companyId)
  expect(people).toHaveLength(5)
  expect(people.find((one) => one.id === known.id)).toMatchObject({ name: known.name, phone: '0600000000', version: 2 })
  const [plant] = await server.db
    .select()
    .from(points)
    .where(and(eq(points.companyId, companyId), eq(points.prm, prm(2))))
  expect(plant).toMatchObject({ segment: 'P4', peakWatts: 9000 })
})

test('names every wrong line and stores nothing', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const elsewhere = await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })
  const taken = await makePoint(server.db, { companyId })
  await makeParticipation(server.db, {
    companyId,
    operationId: elsewhere.id,
    pointId: taken.id,
    startsOn: '2025-03-01',
  })
  const { id } = await makeOperation(server.db, { companyId, startsOn: '2026-01-01' })
  const wrong = enrol(
    user,
    id,
    lines(
      { lastName: 'Bon', prm: prm(10) },
      { lastName: 'Pris', prm: taken.prm },
      { prm: prm(11) },
      { lastName: 'Double', prm: prm(10) },
      { lastName: 'Tôt', prm: prm(12), startsOn: '2025-12-31' },
      { lastName: 'Inverse', prm: prm(13), startsOn: '2026-02-01', endsOn: '2026-02-01' },
      { lastName: 'Segment', prm: prm(14), segment: 'P4' },
    ),
  )
  const error: AppError = await wrong.then(
    () => expect.unreachable(),
    (caught) => caught,
  )
  expect(error.code).toBe('invalid')
  expect(error.issues?.map(({ path }) => path)).toEqual([
    'participants.1.prm',
    'participants.2.lastName',
    'participants.3.prm',
    'participants.4.startsOn',
    'participants.5.endsOn',
    'participants.6.segment',
  ])
  expect(error.issues?.[0]?.message).toBe(
    'Ce point prend déjà part à «\u00a0Les Tilleuls\u00a0» (depuis le 01/03/2025)\u00a0: un point n’est que dans une opération à la fois.',
  )
  expect(error.issues?.[2]?.message).toContain('ligne 1')
  expect(await mine(companyId)).toHaveLength(1)
})

test('moves a point between operations on the same day', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const first = await makeOperation(server.db, { companyId })
  const second = await makeOperation(server.db, { companyId })
  const line = { lastName: 'Mobile', email: 'mobile@exemple.fr', prm: prm(20) }
  await enrol(user, first.id, lines({ ...line, endsOn: '2026-06-01' }))
  await expect(enrol(user, second.id, lines({ ...line, startsOn: '2026-05-31' }))).rejects.toThrow()
  await enrol(user, second.id, lines({ ...line, startsOn: '2026-06-01' }))
  const held = await server.db.select().from(participations).where(eq(participations.companyId, companyId))
  expect(held.map(({ startsOn, endsOn }) => [startsOn, endsOn])).toEqual([
    ['2026-01-01', '2026-06-01'],
    ['2026-06-01', null],
  ])
})

test('hides another company’s operation and people', async () => {
  const user = await makeUser(server.db)
  const stranger = await makeUser(server.db)
  const theirs = await makeOperation(server.db, { companyId: stranger.companyId })
  const twin = { lastName: 'Même', email: 'meme@exemple.fr', prm: prm(30) }
  await enrol(stranger, theirs.id, lines(twin))
  await expect(enrol(user, theirs.id, lines(twin))).rejects.toMatchObject({ code: 'not-found' })
  const own = await makeOperation(server.db, { companyId: user.companyId })
  await enrol(user, own.id, lines(twin))
  expect(await mine(user.companyId)).toHaveLength(1)
})

test('enrols 2 000 lines at once', async () => {
  const user = await makeUser(server.db)
  const { id } = await makeOperation(server.db, { companyId: user.companyId })
  const many = lines(
    ...Array.from({ length: 2000 }, (_, i) => ({
      lastName: `N${i}`,
      email: `n${i}@exemple.fr`,
      address: `${i} rue`,
      prm: prm(1000 + i),
    })),
  )
  expect((await enrol(user, id, many)).size).toBe(2000)
})

test('lets one of twenty simultaneous enrolments take a point', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const participant = await makeParticipant(server.db, { companyId })
  const operations = await Promise.all(Array.from({ length: 20 }, () => makeOperation(server.db, { companyId })))
  const body = { participantId: participant.id, prm: prm(9999), direction: 'consumption', startsOn: '2026-01-01' }
  const answers = await Promise.all(
    operations.map(({ id }) => call(server, endpoints.create, { body: { ...body, operationId: id } }, user)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(
    answers.filter(({ status, body: problem }) => status === 409 && problem.issues[0].path === 'prm'),
  ).toHaveLength(19)
  expect(await server.db.select().from(points).where(eq(points.companyId, companyId))).toHaveLength(1)
})

test('records an event once per new person, none for known ones or a refused file', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id } = await makeOperation(server.db, { companyId })
  await makeParticipant(server.db, { companyId, email: 'ana@exemple.fr' })
  const told = async () =>
    (await server.db.select().from(events).where(eq(events.companyId, companyId)).orderBy(asc(events.seq))).map(
      ({ name, object, seq }) => ({ name, object, seq }),
    )
  const wrong = lines({ firstName: 'Nour', lastName: 'Petit', prm: prm(41) }, { prm: prm(42) })
  await expect(enrol(user, id, wrong)).rejects.toMatchObject({ code: 'invalid' })
  expect(await told()).toEqual([])
  await enrol(
    user,
    id,
    lines(
      { lastName: 'Autre', firstName: 'Nom', email: 'ana@exemple.fr', phone: '0612131415', prm: prm(41) },
      { firstName: 'Nour', lastName: 'Petit', address: '7 rue du Lac', prm: prm(42) },
      { firstName: 'Nour', lastName: 'Petit', address: '7 rue du Lac', prm: prm(43), direction: 'production' },
      { name: 'Régie du lac', kind: 'organisation', prm: prm(44) },
    ),
  )
  const people = await mine(companyId)
  const idOf = (name: string) => people.find((one) => one.name === name)?.id
  expect(await told()).toEqual([
    { name: 'participant.created', object: idOf('Nour Petit'), seq: 1 },
    { name: 'participant.created', object: idOf('Régie du lac'), seq: 2 },
    { name: 'participation.started', object: id, seq: 3 },
  ])
  await enrol(user, id, lines({ firstName: 'Nour', lastName: 'Petit', address: '7 rue du Lac', prm: prm(42) }))
  expect((await told()).filter(({ name }) => name === 'participant.created')).toHaveLength(2)
})
