import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analytics } from '@voisol/contract/analytics'
import { consents } from '@voisol/contract/consents'
import { EVENT_NAMES, EVENTS, type EventName } from '@voisol/contract/events'
import { insights } from '@voisol/contract/insights'
import { mandates } from '@voisol/contract/mandates'
import { ParticipantUpdate, participants } from '@voisol/contract/participants'
import { plants } from '@voisol/contract/plants'
import { reports } from '@voisol/contract/reports'
import { roles } from '@voisol/contract/roles'
import { users } from '@voisol/contract/users'
import { and, asc, eq, gt } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { transaction } from '../src/db/client.ts'
import { events } from '../src/db/schema/index.ts'
import { recordEvent } from '../src/events/events.ts'
import { getToday } from '../src/today.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { makeInsight } from './factories-analytics.ts'
import { BRUNO_IBAN, makeSalesFixture, signAllMandates } from './factories-bank.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from './factories-energy.ts'
import { useServer } from './server.ts'

const server = useServer()
const SRC = join(import.meta.dirname, '../src')
/** Sources that record events, as opposed to those that only receive them. */
const sourceTexts = globSync('**/*.ts', { cwd: SRC })
  .filter((file) => !/\.test\.ts$|subscriber\.ts$|outdated-runs|site-owner/.test(file))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))
const isRecordedSomewhere = (name: EventName) => {
  const [what = '', change = ''] = name.split('.')
  const drawn =
    sourceTexts.some((text) => text.includes(`\`${what}.\${`)) &&
    sourceTexts.some((text) => text.includes(`'${change}'`))
  return drawn || sourceTexts.some((text) => text.includes(`'${name}'`))
}
const current = EVENT_NAMES.filter((name) => !EVENTS[name].retired)

test.each(current)('%s is recorded somewhere in the code', (name) => expect(isRecordedSomewhere(name)).toBe(true))

test('each kind of event is stored as recorded, with the next number', async () => {
  const { companyId } = await makeUser(server.db)
  await transaction(server.db, async (tx) => {
    for (const name of current)
      await recordEvent(tx, { companyId, name, object: companyId.toString(), data: EVENTS[name].sample as never }) // of its own row
  })
  const kept = await server.db.select().from(events).where(eq(events.companyId, companyId)).orderBy(asc(events.seq))
  expect(kept.map(({ seq, name }) => [seq, name])).toEqual(current.map((name, at) => [at + 1, name]))
  expect(kept.map(({ data }) => data)).toEqual(current.map((name) => EVENTS[name].sample))
})

async function since(companyId: number, seq = 0) {
  const where = and(eq(events.companyId, companyId), gt(events.seq, seq))
  return (await server.db.select().from(events).where(where).orderBy(asc(events.seq))).map(({ name, object }) => [
    name,
    object,
  ])
}

test('a consent is recorded when given and, once, when withdrawn', async () => {
  const admin = await makeUser(server.db)
  const { id } = await makeParticipant(server.db, { companyId: admin.companyId })
  const day = (days: number) => Temporal.PlainDate.from(getToday()).add({ days }).toString()
  const draft = { purpose: 'advice', textVersion: '2026-01', method: 'paper', givenOn: day(-3), expiresOn: day(311) }
  const consent = (await call(server, consents.give, { params: { id }, body: draft }, admin)).body
  const params = { id: consent.id }
  for (const _ of [1, 2]) await call(server, consents.withdraw, { params }, admin)
  expect(await since(admin.companyId)).toEqual([
    ['consent.given', consent.id],
    ['consent.withdrawn', consent.id],
  ])
})

test('a participant event is recorded on change and on removal', async () => {
  const admin = await makeUser(server.db)
  const { id } = await makeParticipant(server.db, { companyId: admin.companyId })
  const known = (await call(server, participants.get, { params: { id } }, admin)).body
  const keys = Object.keys(ParticipantUpdate.shape).filter((key) => key in known)
  const body = { ...Object.fromEntries(keys.map((key) => [key, known[key]])), firstName: 'Léa', lastName: 'Aubry' }
  const saved = await call(server, participants.update, { params: { id }, body }, admin)
  expect(saved.status).toBe(200)
  await call(server, participants.remove, { params: { id } }, admin)
  expect(await since(admin.companyId)).toEqual([
    ['participant.updated', id],
    ['participant.removed', id],
  ])
})

test('disabling and enabling access is recorded, a change of name is not', async () => {
  const admin = await makeUser(server.db)
  const other = await makeUser(server.db, { companyId: admin.companyId })
  const params = { id: other.id }
  for (const _ of [1, 2]) await call(server, users.disable, { params }, admin)
  await call(server, users.enable, { params }, admin)
  expect(await since(admin.companyId)).toEqual([
    ['member.changed', other.id],
    ['member.changed', other.id],
  ])
})

test('a role event is recorded on definition, change, removal and assignment', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const draft = { name: 'Accueil', permissions: ['participants.read'] }
  const { id } = (await call(server, roles.create, { body: draft }, admin)).body
  const invite = { email: `accueil-${admin.email}`, firstName: 'Ana', lastName: 'Roy', role: id }
  const person = (await call(server, users.invite, { body: invite }, admin)).body
  const one = { params: { id } }
  const change = (version: number) => ({ ...one, body: { ...draft, permissions: ['energy.read'], version } })
  for (const version of [1, 2]) expect((await call(server, roles.update, change(version), admin)).status).toBe(200)
  const { firstName, lastName, version } = person
  const body = { firstName, lastName, phone: '', role: 'reader', version }
  expect((await call(server, users.update, { params: { id: person.id }, body }, admin)).status).toBe(200)
  expect((await call(server, roles.remove, one, admin)).status).toBe(200)
  expect(await since(companyId)).toEqual([
    ['role.defined', id],
    ['member.changed', person.id],
    ['role.changed', id],
    ['member.changed', person.id],
    ['role.removed', id],
  ])
  const kept = await server.db.select().from(events).where(eq(events.companyId, companyId)).orderBy(asc(events.seq))
  expect(kept.map(({ data }) => data)).toMatchObject([
    { roleId: id, name: 'Accueil', permissions: ['participants.read'], people: 0 },
    { userId: person.id, status: 'invited', role: id },
    { permissions: ['energy.read'], people: 1 },
    { role: 'reader' },
    { people: 0 },
  ])
})

test('a mandate event is recorded on signature, change, replacement and revocation', async () => {
  const sales = await makeSalesFixture(server)
  const { auth, world } = sales
  const { companyId } = world.seller
  const before = (await since(companyId)).length
  const [first] = await signAllMandates(server, sales)
  const mandate = (await call(server, mandates.list, { query: {} }, auth)).body.items.find(
    ({ id }: { id: string }) => id === first?.id,
  )
  const body = { iban: BRUNO_IBAN, holder: mandate.holder, bic: '', version: mandate.version }
  const moved = (await call(server, mandates.account, { params: { id: mandate.id }, body }, auth)).body
  const end = { reason: 'Compte clos', version: moved.version }
  await call(server, mandates.revoke, { params: { id: mandate.id }, body: end }, auth)
  const heard = (await since(companyId)).slice(before).filter(([, object]) => object === mandate.id)
  expect(heard.map(([name]) => name)).toEqual(['mandate.signed', 'mandate.changed', 'mandate.stopped'])
})

test('changes of plant amounts, saved views and findings are recorded', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const { id: pointId } = await makePoint(server.db, { companyId, direction: 'production' })
  await makeParticipation(server.db, { companyId, operationId, pointId })
  const cost = { kind: 'insurance', label: 'Police 7', amount: 4_213, every: 'year', startsOn: '2026-01-01' }
  const body = { ...cost, endsOn: null }
  const amount = (await call(server, plants.addAmount, { params: { pointId }, body }, admin)).body
  const own = { params: { id: amount.id } }
  const change = { ...own, body: { ...body, amount: 5_000, version: 1 } }
  for (const _ of [1, 2]) await call(server, plants.updateAmount, change, admin)
  await call(server, plants.removeAmount, own, admin)
  const draft = { name: 'Mois par mois', search: 'by=months', shared: true }
  const view = (await call(server, analytics.saveView, { body: draft }, admin)).body
  const one = { params: { id: view.id } }
  await call(server, analytics.updateView, { ...one, body: { ...draft, shared: false, version: 1 } }, admin)
  await call(server, analytics.removeView, one, admin)
  const { id } = await makeInsight(server.db, { companyId, operationId })
  await call(server, insights.accept, { params: { id }, body: { version: 1 } }, admin)
  expect(await since(companyId)).toEqual([
    ['plant.amount-added', amount.id],
    ['plant.amount-changed', amount.id],
    ['plant.amount-removed', amount.id],
    ['view.saved', view.id],
    ['view.changed', view.id],
    ['view.removed', view.id],
    ['insight.decided', id],
  ])
  const kept = await server.db.select().from(events).where(eq(events.companyId, companyId))
  expect(kept.find(({ name }) => name === 'plant.amount-changed')?.data).toMatchObject({ pointId, amount: 5_000 })
  expect(kept.find(({ name }) => name === 'insight.decided')?.data).toMatchObject({ operationId, state: 'accepted' })
  // The content of a view may name a person.
  expect(JSON.stringify(kept)).not.toContain('Mois par mois')
})

test('a report schedule event is recorded when set, changed and stopped', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const { id: subjectId } = await makeOperation(server.db, { companyId })
  const rhythm = { month: null, day: 3, recipientIds: [admin.id] }
  const body = { template: 'operation-month', subjectId, ...rhythm }
  const { id } = (await call(server, reports.createSchedule, { body }, admin)).body
  const own = { params: { id } }
  const update = (active: boolean, version: number) =>
    call(server, reports.updateSchedule, { ...own, body: { ...rhythm, active, version } }, admin)
  expect([(await update(true, 1)).status, (await update(false, 2)).status]).toEqual([200, 200])
  await call(server, reports.removeSchedule, own, admin)
  const names = (await since(companyId)).map(([name]) => name)
  expect(names).toEqual(['report.scheduled', 'report.scheduled', 'report.unscheduled', 'report.unscheduled'])
})
