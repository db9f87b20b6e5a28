import { participants as endpoints } from '@voisol/contract/participants'
import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { consents, memberships, participants, participations } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
beforeEach(() => server.deps.aside.$client.query('delete from throttles'))

type Person = Awaited<ReturnType<typeof makeUser>>
const ask = (user: Person, body: object) => call(server, endpoints.bulk, { body }, user)
const outcomes = ({ lines }: { lines: { label: string; outcome: string }[] }) =>
  lines.map(({ label, outcome }) => `${label} ${outcome}`).sort()

/** Runs a dry run first, then the action with the seal it returned. */
async function apply(user: Person, body: object) {
  const seen = (await ask(user, { ...body, dryRun: true })).body
  const done = await ask(user, { ...body, dryRun: false, seal: seen.seal })
  return { seen, done: done.body, status: done.status }
}

async function createTestScene() {
  const user = await makeUser(server.db)
  const { companyId } = user
  const operation = await makeOperation(server.db, { companyId, startsOn: '2025-01-01' })
  const people = await Promise.all(
    ['Ana', 'Bao', 'Cléo'].map((name) => makeParticipant(server.db, { companyId, name, email: `${name}@exemple.fr` })),
  )
  const [ana, bao] = people
  for (const { id: participantId } of people.slice(0, 2))
    await makeParticipation(server.db, { companyId, operationId: operation.id, participantId })
  const ids = people.map(({ id }) => id)
  const held = () => server.db.select().from(participations).where(eq(participations.companyId, companyId))
  return { user, companyId, operation, people, ids, held, ana, bao }
}

test('reports the same in a dry run that writes nothing, and changes nothing a second time', async () => {
  const { user, ids, held } = await createTestScene()
  const body = { selection: { ids }, action: { kind: 'exit', on: '2031-07-01', noticeOn: '2031-05-02' } }
  const before = await held()
  const { body: seen } = await ask(user, { ...body, dryRun: true })
  expect(seen).toMatchObject({ status: 'done', dryRun: true, total: 3, done: 2, refused: 1, unchanged: 0 })
  expect(seen.lines[0]).toMatchObject({
    label: 'Cléo',
    outcome: 'refused',
    message: 'Aucune participation en cours ou à venir.',
  })
  expect(await held()).toEqual(before)
  const { body: done } = await ask(user, { ...body, dryRun: false, seal: seen.seal })
  expect(outcomes(done)).toEqual(outcomes(seen))
  expect((await held()).map(({ endsOn, noticeOn }) => [endsOn, noticeOn])).toEqual([
    ['2031-07-01', '2031-05-02'],
    ['2031-07-01', '2031-05-02'],
  ])
  const again = await ask(user, { ...body, dryRun: false, seal: seen.seal })
  expect(again.body).toMatchObject({ done: 0, unchanged: 2, refused: 1 })
})

test('applies the checks of a single participation to dates, and does the others', async () => {
  const { user, ids, held } = await createTestScene()
  const { seen, done } = await apply(user, {
    selection: { ids: ids.slice(0, 2) },
    action: { kind: 'entry', on: '2024-12-31', noticeOn: null },
  })
  expect(seen).toMatchObject({ done: 0, refused: 2 })
  expect(done.lines[0].message).toMatch(/ne peut pas précéder le début de l’opération/)
  expect((await held()).every(({ startsOn, version }) => startsOn === '2025-01-01' && version === 1)).toBe(true)
  const signed = await apply(user, {
    selection: { ids: ids.slice(0, 2) },
    action: { kind: 'agreement', signedOn: '2025-02-03' },
  })
  expect(signed.done).toMatchObject({ done: 2, refused: 0 })
  expect((await held()).map(({ agreementSignedOn }) => agreementSignedOn)).toEqual(['2025-02-03', '2025-02-03'])
})

test('invites nobody twice, and reports missing addresses', async () => {
  const { user, companyId, ids } = await createTestScene()
  const { id: silent } = await makeParticipant(server.db, { companyId, name: 'Dana', email: '' })
  const body = { selection: { ids: [...ids, silent] }, action: { kind: 'invite' } }
  const members = () => server.db.select().from(memberships).where(eq(memberships.companyId, companyId))
  const before = (await members()).length
  const { seen, done } = await apply(user, body)
  expect(seen).toMatchObject({ done: 3, refused: 1 })
  expect(done).toMatchObject({ done: 3, refused: 1 })
  expect((await members()).length).toBe(before + 3)
  const again = await apply(user, body)
  expect(again.done).toMatchObject({ done: 0, unchanged: 3, refused: 1 })
  expect((await members()).length).toBe(before + 3)
})

test('records a paper as one consent, only by those allowed to', async () => {
  const { user, companyId, ids } = await createTestScene()
  const action = { kind: 'consent', purpose: 'collection', textVersion: '2026-01', givenOn: getToday(), expiresOn: '' }
  action.expiresOn = Temporal.PlainDate.from(getToday()).add({ years: 2 }).toString()
  const { done } = await apply(user, { selection: { ids }, action })
  expect(done).toMatchObject({ done: 3, refused: 0 })
  expect((await apply(user, { selection: { ids }, action })).done).toMatchObject({ done: 0, unchanged: 3 })
  const kept = await server.db.select().from(consents).where(eq(consents.companyId, companyId))
  expect(kept.map(({ method, recordedBy }) => [method, recordedBy])).toEqual(Array(3).fill(['paper', user.email]))
  const limited = await makeUser(server.db, { companyId, permissions: ['participants.read', 'participants.write'] })
  expect((await ask(limited, { selection: { ids }, action, dryRun: true })).status).toBe(403)
})

test('adds, removes, counts and filters by tags', async () => {
  const { user, companyId, ids, ana } = await createTestScene()
  await apply(user, {
    selection: { ids: ids.slice(0, 2) },
    action: { kind: 'tags', add: ['bâtiment B', 'à rappeler'], remove: [] },
  })
  await apply(user, { selection: { ids: [ids[0]] }, action: { kind: 'tags', add: [], remove: ['à rappeler'] } })
  const [row] = await server.db
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, ana?.id ?? '')))
  expect(row?.tags).toEqual(['bâtiment B'])
  const { body: used } = await call(server, endpoints.tags, {}, user)
  expect(used.items).toEqual([
    { tag: 'bâtiment B', count: 2 },
    { tag: 'à rappeler', count: 1 },
  ])
  const { body: list } = await call(server, endpoints.list, { query: { tag: 'à rappeler' } }, user)
  expect(list.items.map(({ name }: { name: string }) => name)).toEqual(['Bao'])
})
