import { companies } from '@voisol/contract/companies'
import { keys } from '@voisol/contract/keys'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { makeOperation } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { auditEntries, idempotencyKeys, keys as keyTable } from '../db/schema/index.ts'
import { sha256 } from '../secrets.ts'

const server = useServer()
const body = { method: 'default', startsOn: '2025-03-17', shares: [] }

async function scene() {
  const { companyId, token } = await makeUser(server.db)
  const [first, second] = [await makeOperation(server.db, { companyId }), await makeOperation(server.db, { companyId })]
  const send = (id: string, key: string, more: object = {}) =>
    call(
      server,
      keys.create,
      { params: { id }, body: { ...body, ...more } },
      { token, headers: { 'idempotency-key': key } },
    )
  const made = (id: string) => server.db.select().from(keyTable).where(eq(keyTable.operationId, id))
  const entries = () => server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  return { first: first.id, second: second.id, send, made, entries }
}

test('the same key and body on another path are refused, without effect', async () => {
  const { first, second, send, made, entries } = await scene()
  expect((await send(first, 'one-key-for-two')).status).toBe(200)
  expect(await send(second, 'one-key-for-two')).toMatchObject({ status: 422, body: { code: 'idempotency-mismatch' } })
  expect([await made(first), await made(second), await entries()].map(({ length }) => length)).toEqual([1, 0, 1])
})

test('the same path is the same call; another key is another call', async () => {
  const { first, send, made } = await scene()
  const answer = await send(first, 'one-key-of-path')
  expect((await send(first, 'one-key-of-path')).body).toEqual(answer.body)
  expect(await made(first)).toHaveLength(1)
  expect((await send(first, 'another-key-of-path')).body.id).not.toBe(answer.body.id)
  expect(await made(first)).toHaveLength(2)
})

test.each([
  ['seven12', 422],
  ['eight123', 200],
  ['x'.repeat(100), 200],
  ['x'.repeat(101), 422],
])('the key %s is answered %d', async (key, status) => {
  const { first, send } = await scene()
  expect((await send(first, key)).status).toBe(status)
})

test('a retried change returns its first answer, not a version conflict', async () => {
  const { companyId, token } = await makeUser(server.db)
  const change = { name: 'Toits', legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }
  const send = (headers: Record<string, string>) =>
    call(server, companies.update, { params: { companyId }, body: change }, { token, headers })
  const first = await send({ 'idempotency-key': 'one-lost-answer' })
  const again = await send({ 'idempotency-key': 'one-lost-answer' })
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.body).toEqual(first.body)
  expect(again.body.version).toBe(2)
  expect((await send({})).status).toBe(409)
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(entries).toHaveLength(1)
})

test('the request cannot be guessed from the record without the server key', async () => {
  const { companyId, token } = await makeUser(server.db)
  const change = { name: 'Secret', legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }
  const headers = { 'idempotency-key': 'one-guessed-body' }
  await call(server, companies.update, { params: { companyId }, body: change }, { token, headers })
  const [row] = await server.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'one-guessed-body'))
  expect(row?.requestHash).toHaveLength(32)
  expect(row?.requestHash).not.toEqual(sha256(`PATCH /api/companies/${companyId} ${JSON.stringify(change)}`))
})
