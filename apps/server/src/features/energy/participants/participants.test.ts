import { auth } from '@voisol/contract/auth'
import { participants as endpoints, type ParticipantDetail } from '@voisol/contract/participants'
import { eq, type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, consents, memberships, participants } from '../../../db/schema/index.ts'
import { readXlsx } from '../../../files/xlsx.ts'
import { getToday } from '../../../today.ts'
import { decryptIban } from './edit-participant.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const day = (days: number) => Temporal.PlainDate.from(getToday()).add({ days }).toString()
const list = async (user: User, query: Record<string, string> = {}) =>
  (await call(server, endpoints.list, { query }, user)).body as { items: ParticipantDetail[]; total: number }
const names = async (user: User, query: Record<string, string>) =>
  (await list(user, query)).items.map(({ name }) => name)
const person = { kind: 'person', firstName: 'Ana', lastName: 'Léger', email: 'ana@exemple.fr', city: 'Éguilles' }

const agree = (companyId: number, participantId: string, expiresOn: string, withdrawnAt: Date | null = null) =>
  server.db.insert(consents).values({
    companyId,
    participantId,
    purpose: 'collection',
    textVersion: '2026-01',
    method: 'paper',
    givenAt: new Date(),
    expiresOn,
    withdrawnAt,
    recordedBy: 'test',
  })

/**
 * One of each: a current consumer, a future producer, one with both roles and no signed agreement, a past one, and one
 * without participation.
 */
async function makePeople(user: User) {
  const { companyId } = user
  const operation = await makeOperation(server.db, { companyId, name: 'Les Lilas' })
  const add = async (name: string, spans: [string, string | null, string][], more = {}) => {
    const one = await makeParticipant(server.db, { companyId, name, email: `${name.length}@exemple.fr`, ...more })
    for (const [startsOn, endsOn, direction] of spans) {
      const point = await makePoint(server.db, { companyId, direction })
      const signed = name === 'Deux' ? {} : { agreementSignedOn: '2025-01-01' }
      const ids = { companyId, operationId: operation.id, participantId: one.id, pointId: point.id }
      await makeParticipation(server.db, { ...ids, startsOn, endsOn, ...signed })
    }
    return one
  }
  const ordered = await add('Actif', [['2025-01-01', null, 'consumption']], { city: 'Éguilles' })
  await agree(companyId, ordered.id, day(400))
  const coming = await add('Futur', [[day(10), null, 'production']], { email: '' })
  await agree(companyId, coming.id, day(30))
  await add('Deux', [
    ['2025-01-01', null, 'consumption'],
    ['2025-01-01', day(20), 'production'],
  ])
  await add('Parti', [['2025-01-01', day(0), 'consumption']])
  await add('Seule', [], { kind: 'organisation' })
  return operation
}

test('lists and filters by role, state, points and items to review', async () => {
  const user = await makeUser(server.db)
  const { id: operationId } = await makePeople(user)
  const { items, total } = await list(user)
  expect(total).toBe(5)
  expect(items.map((one) => [one.name, one.role, one.state, one.points.length, one.review.length])).toEqual([
    ['Actif', 'consumer', 'active', 1, 0],
    ['Deux', 'both', 'active', 2, 2],
    ['Futur', 'producer', 'upcoming', 1, 2],
    ['Parti', 'consumer', 'past', 1, 0],
    ['Seule', null, 'none', 0, 0],
  ])
  expect(items[0]).toMatchObject({ operations: [{ id: operationId, name: 'Les Lilas' }], portal: { status: 'none' } })
  expect(items[1]?.review).toEqual([
    'Accord de participation non signé',
    'Consentement à la collecte des mesures manquant',
  ])
  expect(items[2]?.review[0]).toBe('Adresse e-mail manquante')
  expect(await names(user, { state: 'past' })).toEqual(['Parti'])
  expect(await names(user, { state: 'none' })).toEqual(['Seule'])
  expect(await names(user, { role: 'both' })).toEqual(['Deux'])
  expect(await names(user, { kind: 'organisation' })).toEqual(['Seule'])
  expect(await names(user, { review: 'true' })).toEqual(['Deux', 'Futur'])
  expect(await names(user, { review: 'false', sort: '-name' })).toEqual(['Seule', 'Parti', 'Actif'])
  expect(await names(user, { operationId, portal: 'none' })).toHaveLength(4)
  expect(await names(user, { q: 'eguilles ACTIF' })).toEqual(['Actif'])
  const prm = items[0]?.points[0]?.prm ?? ''
  expect(await names(user, { q: `${prm.slice(0, 2)} ${prm.slice(2)}` })).toEqual(['Actif'])
  expect(await list(user, { size: '2', page: '2' })).toMatchObject({
    total: 5,
    items: [{ name: 'Futur' }, { name: 'Parti' }],
  })
})

test('exports exactly the filtered rows, with PRMs as text', async () => {
  const user = await makeUser(server.db)
  await makePeople(user)
  const query = { role: 'consumer', sort: '-name', format: 'csv' }
  const { text } = await call(server, endpoints.export, { query }, user)
  const rows = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(';'))
  expect(rows.slice(1).map(([name]) => name)).toEqual(['Parti', 'Actif'])
  const file = await server.app.inject({
    url: '/api/participants/export?format=xlsx&role=consumer',
    headers: { authorization: `Bearer ${user.token}` },
  })
  const sheet = await readXlsx(file.rawPayload)
  expect(sheet?.map(([name]) => name)).toEqual(['Nom affiché', 'Actif', 'Parti'])
  expect(sheet?.[1]?.[13]).toMatch(/^\d{14}$/)
})

test('loads only one page of ten thousand participants', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const run = (statement: SQL) => server.db.execute(statement)
  await run(sql`insert into participants (company_id, kind, name)
    select ${companyId}, 'person', 'Voisin ' || n from generate_series(1, 10000) n returning 1`)
  await run(sql`insert into points (company_id, id, prm, direction, segment)
    select company_id, id, lpad(substr(name, 8), 14, '0'), 'consumption', 'C5' from participants where company_id = ${companyId} returning 1`)
  await server.asOwner('analyze')
  await run(sql`insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
    select company_id, ${operationId}::uuid, id, id, '2025-01-01' from participants where company_id = ${companyId} returning 1`)
  await server.asOwner('analyze')
  const queries: Record<string, string>[] = [{}, { page: '300' }, { state: 'active', review: 'true' }]
  for (const query of queries) expect(await list(user, query)).toMatchObject({ total: 10_000, items: { length: 25 } })
  expect((await list(user, { q: 'voisin 9999' })).total).toBe(1)
})

test('creates, changes and removes a participant, and refuses an outdated version', async () => {
  const user = await makeUser(server.db)
  const { body } = await call(server, endpoints.create, { body: person }, user)
  expect(body).toMatchObject({ name: 'Ana Léger', state: 'none', participations: [], consents: [], version: 1 })
  const form = { ...person, name: '', siren: '', phone: '', address: '', postalCode: '13510', notes: '' }
  const save = (more: object) =>
    call(server, endpoints.update, { params: { id: body.id }, body: { ...form, ...more } }, user)
  expect((await save({ lastName: 'Petit', version: 1 })).body).toMatchObject({ name: 'Ana Petit', version: 2 })
  const late = await save({ lastName: 'Autre', version: 1 })
  expect(late.body).toMatchObject({ code: 'stale' })
  expect((await save({ firstName: '', lastName: '', version: 2 })).body.issues[0].path).toBe('lastName')
  expect((await save({ kind: 'organisation', firstName: '', lastName: '', version: 2 })).body.issues[0].path).toBe(
    'name',
  )
  expect((await save({ version: 2, companyId: 1 })).status).toBe(422)
  expect((await call(server, endpoints.remove, { params: { id: body.id } }, user)).status).toBe(200)
  expect((await call(server, endpoints.get, { params: { id: body.id } }, user)).status).toBe(404)
})

test('refuses to remove somebody who took part', async () => {
  const user = await makeUser(server.db)
  await makePeople(user)
  const { items } = await list(user, { q: 'Parti' })
  const gone = await call(server, endpoints.remove, { params: { id: items[0]?.id } }, user)
  expect(gone.status).toBe(409)
  expect(gone.body.message).toContain('a pris part')
})

test('checks and encrypts an IBAN, and shows its last digits only', async () => {
  const user = await makeUser(server.db)
  const { id, companyId } = await makeParticipant(server.db, { companyId: user.companyId })
  const save = (iban: string | undefined, version: number) =>
    call(server, endpoints.bank, { params: { id }, body: { iban, version } }, user)
  expect((await save('FR76 3000 6000 0112 3456 7890 188', 1)).body.issues[0]).toMatchObject({ path: 'iban' })
  expect((await save('FR76 3000 6000', 1)).body.message).toContain('27 caractères')
  expect((await save('US00 1234', 1)).status).toBe(422)
  const saved = await save('fr76 3000 6000 0112 3456 7890 189', 1)
  expect(saved.body.bank).toEqual({ ibanEnd: '0189' })
  expect(saved.text).not.toContain('30006000')
  const read = async () => (await server.db.select().from(participants).where(eq(participants.id, id)))[0]
  const row = await read()
  expect(row?.iban).not.toContain('30006000')
  expect(decryptIban(server.deps.secrets, { companyId, id, iban: row?.iban ?? null })).toBe(
    'FR7630006000011234567890189',
  )
  expect(() => decryptIban(server.deps.secrets, { companyId: companyId + 1, id, iban: row?.iban ?? null })).toThrow()
  expect((await save(undefined, 2)).body.bank.ibanEnd).toBe('0189')
  expect((await save('', 3)).body.bank.ibanEnd).toBe('')
  expect((await read())?.iban).toBeNull()
  const log = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(JSON.stringify(log)).not.toContain('30006000')
})

test('creates or links an account on invitation, once', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const invite = (id: string) => call(server, endpoints.invite, { params: { id } }, user)
  const nobody = await makeParticipant(server.db, { companyId })
  expect((await invite(nobody.id)).body.issues[0].path).toBe('email')
  const fresh = await makeParticipant(server.db, { companyId, email: 'nouveau@exemple.fr' })
  expect((await invite(fresh.id)).body.portal).toEqual({ status: 'invited', lastSignInAt: null })
  expect((await invite(fresh.id)).status).toBe(200)
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const known = await makeParticipant(server.db, { companyId, email: client.email })
  expect((await invite(known.id)).body.portal.status).toBe('active')
  expect((await invite(known.id)).status).toBe(409)
  const own = await makeParticipant(server.db, { companyId, email: user.email })
  expect((await call(server, auth.me, {}, user)).body.spaces).toEqual(['office'])
  expect((await invite(own.id)).body.portal.status).toBe('active')
  expect((await call(server, auth.me, {}, user)).body.spaces).toEqual(['office', 'portal'])
  const rows = await server.db.select().from(memberships).where(eq(memberships.companyId, companyId))
  expect(rows).toHaveLength(3)
  const [linked] = await server.db.select().from(participants).where(eq(participants.id, known.id))
  expect(linked?.userId).toBe(client.id)
})

test('hides participants from clients and operations of another company', async () => {
  const user = await makeUser(server.db)
  const { id: operationId } = await makePeople(user)
  const client = await makeUser(server.db, { companyId: user.companyId, isAdmin: false })
  for (const e of [endpoints.list, endpoints.export]) expect((await call(server, e, {}, client)).status).toBe(403)
  const stranger = await makeUser(server.db)
  expect((await call(server, endpoints.list, { query: { operationId } }, stranger)).status).toBe(404)
  expect(await list(stranger)).toEqual({ items: [], total: 0 })
})
