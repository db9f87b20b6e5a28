import { participants as endpoints } from '@voisol/contract/participants'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { bulkRuns, participants, participations } from '../../../db/schema/index.ts'
import { executeBulkRun } from './bulk-actions.ts'

const server = useServer()
type Person = { token: string }
const ask = (user: Person, body: object) => call(server, endpoints.bulk, { body }, user)
const TAG = { kind: 'tags', add: ['vu'], remove: [] }

async function createParticipants(companyId: number, size: number) {
  const rows = Array.from({ length: size }, (_, at) => ({
    companyId,
    kind: 'person',
    name: `Voisine ${at}`,
    lastName: `Voisine ${at}`,
  }))
  return (await server.db.insert(participants).values(rows).returning({ id: participants.id })).map(({ id }) => id)
}
const countTagged = async (companyId: number) =>
  (
    await server.db.select({ tags: participants.tags }).from(participants).where(eq(participants.companyId, companyId))
  ).filter(({ tags }) => tags.includes('vu')).length

test('finds and changes nothing for another company’s ids', async () => {
  const [user, other] = [await makeUser(server.db), await makeUser(server.db)]
  const [own, foreign] = [
    await makeParticipant(server.db, { companyId: user.companyId }),
    await makeParticipant(server.db, { companyId: other.companyId }),
  ]
  const selection = { ids: [own.id, foreign.id] }
  for (const dryRun of [true, false])
    expect((await ask(user, { selection, action: TAG, dryRun, seal: 'x' })).status).toBe(404)
  expect([await countTagged(user.companyId), await countTagged(other.companyId)]).toEqual([0, 0])
})

test('limits a user of one operation to its people and days', async () => {
  const { companyId } = await makeUser(server.db)
  const [mine, other] = [await makeOperation(server.db, { companyId }), await makeOperation(server.db, { companyId })]
  const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [mine.id] })
  const { id: both } = await makeParticipant(server.db, { companyId })
  const { id: stranger } = await makeParticipant(server.db, { companyId })
  await makeParticipation(server.db, { companyId, operationId: mine.id, participantId: both })
  const elsewhere = await makeParticipation(server.db, { companyId, operationId: other.id, participantId: both })
  await makeParticipation(server.db, { companyId, operationId: other.id, participantId: stranger })
  const action = { kind: 'exit', on: '2031-07-01', noticeOn: null }
  expect((await ask(limited, { selection: { ids: [both, stranger] }, action, dryRun: true })).status).toBe(404)
  expect((await ask(limited, { selection: { ids: [both] }, operationId: other.id, action, dryRun: true })).status).toBe(
    404,
  )
  const { body: seen } = await ask(limited, { selection: { filter: {} }, action, dryRun: true })
  expect(seen).toMatchObject({ total: 1, done: 1, refused: 0 })
  await ask(limited, { selection: { filter: {} }, action, dryRun: false, seal: seen.seal })
  const [kept] = await server.db.select().from(participations).where(eq(participations.id, elsewhere.id))
  expect(kept?.endsOn).toBeNull()
})

test('refuses when the filter matches other people than those shown', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  await createParticipants(companyId, 3)
  const selection = { filter: { q: 'voisine' } }
  const { body: seen } = await ask(user, { selection, action: TAG, dryRun: true })
  expect(seen.total).toBe(3)
  await createParticipants(companyId, 1)
  const { status, body } = await ask(user, { selection, action: TAG, dryRun: false, seal: seen.seal })
  expect([status, body.code]).toEqual([409, 'stale'])
  expect(body.detail).toMatch(/vérifiez à nouveau/)
  expect(await countTagged(companyId)).toBe(0)
  const other = { kind: 'tags', add: ['autre'], remove: [] }
  expect((await ask(user, { selection, action: other, dryRun: false, seal: seen.seal })).status).toBe(409)
  expect((await ask(user, { selection, action: TAG, dryRun: false })).status).toBe(409)
  const none = await ask(user, { selection: { filter: { q: 'personne de ce nom' } }, action: TAG, dryRun: true })
  expect(none.status).toBe(422)
})

test('completes two simultaneous actions without changing anybody twice', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const second = await makeUser(server.db, { companyId })
  const ids = await createParticipants(companyId, 30)
  const body = { selection: { ids }, action: TAG }
  const { body: seen } = await ask(user, { ...body, dryRun: true })
  const reversed = { ...body, selection: { ids: ids.toReversed() } }
  const answers = await Promise.all([
    ask(user, { ...body, dryRun: false, seal: seen.seal }),
    ask(second, { ...reversed, dryRun: false, seal: seen.seal }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.map(({ body: run }) => run.done).sort((a, b) => a - b)).toEqual([0, 30])
  const versions = await server.db
    .select({ version: participants.version })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  expect(new Set(versions.map(({ version }) => version))).toEqual(new Set([2]))
})

test('runs five thousand as a job with a result, and refuses more', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const ids = await createParticipants(companyId, 4999)
  const body = { selection: { ids }, action: TAG }
  const follow = (id: string) =>
    waitUntil(async () => {
      const { body: run } = await call(server, endpoints.bulkRun, { params: { id } }, user)
      return run.status !== 'running' && run
    })
  const begun = (await ask(user, { ...body, dryRun: true })).body
  expect(begun).toMatchObject({ status: 'running', total: 4999, done: 0 })
  const seen = await follow(begun.id)
  expect(seen).toMatchObject({ status: 'done', done: 4999, refused: 0 })
  expect(seen.lines).toHaveLength(1000)
  expect(await countTagged(companyId)).toBe(0)
  const run = await follow((await ask(user, { ...body, dryRun: false, seal: seen.seal })).body.id)
  expect(run).toMatchObject({ status: 'done', done: 4999 })
  expect(await countTagged(companyId)).toBe(4999)
  const more = [...ids, ...ids.slice(0, 2).map(() => crypto.randomUUID())]
  expect((await ask(user, { ...body, selection: { ids: more }, dryRun: true })).status).toBe(422)
  await createParticipants(companyId, 2)
  expect((await ask(user, { selection: { filter: {} }, action: TAG, dryRun: true })).body.detail).toMatch(
    /Au plus 5\s000/,
  )
})

test('stops a queued action when the right is removed, and tells an API key to split its request', async () => {
  const user = await makeUser(server.db, { permissions: ['participants.read', 'participants.write'] })
  const { companyId } = user
  const ids = await createParticipants(companyId, 201)
  const key = await makeApiKey(server.db, user, { permissions: ['participants.read', 'participants.write'] })
  const refused = await ask({ token: key }, { selection: { ids }, action: TAG, dryRun: true })
  expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(/200 participants au plus/)])
  await server.db.execute(sql`update memberships set disabled_at = now() where company_id = ${companyId}`)
  const about = { status: 'running', dryRun: false, action: TAG, participantIds: ids, seal: '' }
  const [row] = await server.db
    .insert(bulkRuns)
    .values({ companyId, createdBy: user.id, ...about })
    .returning()
  await executeBulkRun(server.deps, { companyId, runId: row?.id ?? '' })
  const [after] = await server.db
    .select()
    .from(bulkRuns)
    .where(eq(bulkRuns.id, row?.id ?? ''))
  expect(after).toMatchObject({ status: 'failed', message: expect.stringMatching(/plus le droit/) })
  expect(await countTagged(companyId)).toBe(0)
})
