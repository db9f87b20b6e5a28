import { dataExports as api, type DataExport } from '@voisol/contract/exports'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { dataExports, memberships, notifications } from '../../../db/schema/index.ts'
import { readZip } from '../../../files/zip.ts'
import { getSizeRefusal, MAX_SHEET_ROWS } from './export-order.ts'
import { expireExports, runExport } from './run-export.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let admin: Person
let operations: string[]
const BODY = { dataSet: 'participants', format: 'jsonl' }

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  operations = []
  for (const name of ['Lilas', 'Tilleuls']) {
    const { id } = await makeOperation(server.db, { companyId, name })
    await makeParticipation(server.db, { companyId, operationId: id })
    operations.push(id)
  }
})

const ask = (who: { token: string }, more: object = {}) => call(server, api.create, { body: { ...BODY, ...more } }, who)
const waitUntilEnded = (who: { token: string }, id: string): Promise<DataExport> =>
  waitUntil(async () => {
    const { body } = await call(server, api.get, { params: { id } }, who)
    return ['waiting', 'running'].includes(body.state) ? false : body
  })
async function made(who: { token: string }, more: object = {}) {
  const { body, status } = await ask(who, more)
  expect(status).toBe(200)
  return waitUntilEnded(who, body.id)
}
async function taken(path: string, token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const { statusCode, rawPayload } = await server.app.inject({ method: 'GET', url: path, headers })
  return { status: statusCode, bytes: rawPayload }
}
const fileOf = (who: { token: string }, id: string) => taken(`/api/exports/${id}/file`, who.token)
const linesOf = (zip: Buffer) =>
  readZip(zip)
    .find(({ name }) => name.endsWith('.jsonl'))
    ?.read()
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) ?? []
const pathOf = (url: string) => new URL(url).pathname

test('builds a requested export with its rows, size and expiry, and notifies the requester', async () => {
  const one = await made(admin)
  expect(one).toMatchObject({ state: 'done', rows: 2, name: 'participants.zip', failure: '', operation: null })
  const { bytes } = await fileOf(admin, one.id)
  expect(bytes.length).toBe(one.bytes)
  expect(
    linesOf(bytes)
      .map((row) => row.operation_id)
      .toSorted(),
  ).toEqual(operations.toSorted())
  const days = (Date.parse(one.expiresAt ?? '') - Date.parse(one.endedAt ?? '')) / 86_400_000
  expect(days).toBe(7)
  await waitForJobs(server)
  const told = await server.db.select().from(notifications).where(eq(notifications.userId, admin.id))
  expect(told.map(({ title }) => title)).toContain('Votre export est prêt')
})

test('an operation filter narrows the export and names it; a repeat keeps the same choices', async () => {
  const one = await made(admin, { operationId: operations[0] })
  expect(one).toMatchObject({ rows: 1, operation: { name: 'Lilas' } })
  const { body } = await call(server, api.again, { params: { id: one.id } }, admin)
  expect(body.id).not.toBe(one.id)
  expect(await waitUntilEnded(admin, body.id)).toMatchObject({ rows: 1, state: 'done', operation: { name: 'Lilas' } })
})

test('previews the first rows and an estimate, and refuses what a sheet cannot hold', async () => {
  const { body } = await call(server, api.preview, { body: BODY }, admin)
  expect(body).toMatchObject({ expected: 2, refusal: '' })
  expect(body.rows).toHaveLength(2)
  expect(body.columns[0]).toEqual({ name: 'id', type: 'text', unit: '', about: 'Identifiant de la participation' })
  expect(getSizeRefusal('xlsx', MAX_SHEET_ROWS)).toBe('')
  expect(getSizeRefusal('xlsx', MAX_SHEET_ROWS + 1)).toContain('Un classeur Excel tient au plus')
  expect(getSizeRefusal('csv', MAX_SHEET_ROWS + 1)).toBe('')
})

test.each([
  ['a set over days without days', { dataSet: 'invoices' }, 'from'],
  ['days of a set that has none', { from: '2026-01-01', to: '2026-02-01' }, 'from'],
  ['days that run backwards', { dataSet: 'invoices', from: '2026-02-01', to: '2026-02-01' }, 'to'],
  ['a century', { dataSet: 'invoices', from: '1926-01-01', to: '2026-02-01' }, 'from'],
  [
    'a filter that it does not know',
    { dataSet: 'events', from: '2026-01-01', to: '2026-02-01', operationId: crypto.randomUUID() },
    'operationId',
  ],
])('%s is refused on its field', async (_, more, path) => {
  const { status, body } = await ask(admin, more)
  expect(status).toBe(422)
  expect(body.issues[0].path).toBe(path)
})

test('answers not found for an operation or participant outside the user’s scope', async () => {
  const other = await makeUser(server.db)
  const { id } = await makeOperation(server.db, { companyId: other.companyId, name: 'Ailleurs' })
  expect((await ask(admin, { operationId: id })).status).toBe(404)
  expect((await ask(admin, { participantId: crypto.randomUUID() })).status).toBe(404)
})

describe('access to exports', () => {
  test('shows a user their own exports only', async () => {
    const one = await made(admin)
    const colleague = await makeUser(server.db, { companyId: admin.companyId })
    expect((await fileOf(colleague, one.id)).status).toBe(404)
    expect((await call(server, api.list, {}, colleague)).body.total).toBe(0)
    expect((await call(server, api.remove, { params: { id: one.id } }, colleague)).status).toBe(404)
  })

  test('shows an API key its own exports only, and checks the data set permission again', async () => {
    const mine = await made(admin)
    const token = await makeApiKey(server.db, admin, {
      permissions: ['exports.read', 'exports.write', 'participants.read'],
    })
    const byKey = await made({ token })
    expect((await call(server, api.list, {}, { token })).body.items.map(({ id }: DataExport) => id)).toEqual([byKey.id])
    expect((await fileOf({ token }, mine.id)).status).toBe(404)
    expect((await fileOf(admin, byKey.id)).status).toBe(200)
    expect((await ask({ token }, { dataSet: 'operations' })).status).toBe(403)
  })

  test('a user limited to operations exports those only, and loses access to earlier exports', async () => {
    const person = await makeUser(server.db, { companyId: admin.companyId })
    const before = await made(person)
    expect(before.rows).toBe(2)
    await server.db
      .update(memberships)
      .set({ operationIds: operations.slice(0, 1) })
      .where(eq(memberships.userId, person.id))
    expect((await fileOf(person, before.id)).status).toBe(404)
    const after = await made(person)
    expect(after.rows).toBe(1)
    expect(linesOf((await fileOf(person, after.id)).bytes)[0].operation_id).toBe(operations[0])
  })
})

const insertWaitingExport = async (person: Person) => {
  const what = { dataSet: 'participants', format: 'jsonl', dialect: 'french', name: 'x', askedBy: 'x' }
  const [row] = await server.db
    .insert(dataExports)
    .values({ companyId: person.companyId, userId: person.id, ...what })
    .returning()
  if (!row) throw new Error('nothing was asked for')
  return row
}
const signal = new AbortController().signal
const stateOf = async (id: string) => (await server.db.select().from(dataExports).where(eq(dataExports.id, id)))[0]

describe('changes during an export', () => {
  test('refuses to run when the permission was withdrawn before the start', async () => {
    const person = await makeUser(server.db, { companyId: admin.companyId })
    const row = await insertWaitingExport(person)
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, person.id))
    await runExport(server.deps, row, { signal })
    expect(await stateOf(row.id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('n’en a plus le droit'),
    })
  })

  test('discards what was written before the user was limited to fewer operations', async () => {
    const person = await makeUser(server.db, { companyId: admin.companyId })
    const row = await insertWaitingExport(person)
    await server.db
      .update(dataExports)
      .set({ state: 'running', rows: 9, cursor: 'f' })
      .where(eq(dataExports.id, row.id))
    await server.db
      .update(memberships)
      .set({ operationIds: operations.slice(1) })
      .where(eq(memberships.userId, person.id))
    await runExport(server.deps, row, { signal })
    expect(await stateOf(row.id)).toMatchObject({ state: 'done', rows: 1, within: operations.slice(1) })
  })

  test('a cancelled export stays cancelled, and a finished one cannot be cancelled', async () => {
    const row = await insertWaitingExport(admin)
    const cancel = () => call(server, api.cancel, { params: { id: row.id } }, admin)
    expect((await cancel()).body).toMatchObject({ state: 'cancelled', version: 2 })
    expect((await cancel()).status).toBe(409)
    await runExport(server.deps, row, { signal })
    expect(await stateOf(row.id)).toMatchObject({ state: 'cancelled', fileKey: '' })
  })

  test('cannot be removed while it is being built, and its file is removed with it', async () => {
    const row = await insertWaitingExport(admin)
    expect((await call(server, api.remove, { params: { id: row.id } }, admin)).status).toBe(409)
    await runExport(server.deps, row, { signal })
    const { fileKey = '' } = (await stateOf(row.id)) ?? {}
    expect(await server.deps.files.get(fileKey)).toBeDefined()
    expect((await call(server, api.remove, { params: { id: row.id } }, admin)).status).toBe(200)
    expect(await server.deps.files.get(fileKey)).toBeUndefined()
  })

  test('refuses a sixth open export of one person', async () => {
    const person = await makeUser(server.db, { companyId: admin.companyId })
    for (let n = 0; n < 5; n++) await insertWaitingExport(person)
    expect((await ask(person)).status).toBe(409)
  })
})

describe('download link', () => {
  test('downloads without a session until it expires, and refuses a changed signature', async () => {
    const one = await made(admin)
    const { body } = await call(server, api.link, { params: { id: one.id } }, admin)
    const path = pathOf(body.url)
    expect(linesOf((await taken(path)).bytes)).toHaveLength(2)
    const hours = (Date.parse(body.expiresAt) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    const [company, id, end, stamp = ''] = (path.split('/').at(-1) ?? '').split('.')
    const forged = [
      [company, id, Number(end) + 1, stamp],
      [Number(company) + 1, id, end, stamp],
      [company, id, end, `A${stamp.slice(1)}` === stamp ? `B${stamp.slice(1)}` : `A${stamp.slice(1)}`],
      [company, id, end],
    ]
    for (const parts of forged) expect((await taken(`/api/export-links/${parts.join('.')}`)).status).toBe(404)
  })

  test('stops working after its expiry, without its file, and when its owner loses the permission', async () => {
    const person = await makeUser(server.db, { companyId: admin.companyId })
    const one = await made(person)
    const { body } = await call(server, api.link, { params: { id: one.id } }, person)
    const path = pathOf(body.url)
    expect((await taken(path)).status).toBe(200)
    await server.db
      .update(memberships)
      .set({ operationIds: operations.slice(1) })
      .where(eq(memberships.userId, person.id))
    expect((await taken(path)).status).toBe(404)
    await server.db.update(memberships).set({ operationIds: null }).where(eq(memberships.userId, person.id))
    expect((await taken(path)).status).toBe(200)
    const late = [admin.companyId, one.id, Math.floor(Date.now() / 1000) - 1].join('.')
    expect((await taken(`/api/export-links/${late}.${server.deps.secrets.stamp('export', late)}`)).status).toBe(404)
    await server.db
      .update(dataExports)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(dataExports.id, one.id))
    expect((await taken(path)).status).toBe(404)
    expect((await fileOf(person, one.id)).status).toBe(404)
    const key = (await stateOf(one.id))?.fileKey ?? ''
    await expireExports(server.deps)
    expect(await server.deps.files.get(key)).toBeUndefined()
    expect(await stateOf(one.id)).toMatchObject({ state: 'expired', fileKey: '' })
  })
})

test('a row that names another company’s file serves its own file and removes no other', async () => {
  const stranger = await makeUser(server.db)
  const theirs = `${admin.companyId}/1f3a`
  await server.deps.files.put(theirs, Buffer.from('Secret du voisin'), 'text/plain')
  const { id } = await made(stranger)
  const before = (await fileOf(stranger, id)).bytes
  const point = () => server.asOwner('update data_exports set file_key = $2 where id = $1', [id, theirs])
  await point()
  expect((await fileOf(stranger, id)).bytes).toEqual(before)
  await server.asOwner(`update data_exports set expires_at = now() - interval '1 hour' where id = $1`, [id])
  await expireExports(server.deps)
  const { id: other } = await made(stranger)
  await server.asOwner('update data_exports set file_key = $2 where id = $1', [other, theirs])
  expect((await call(server, api.remove, { params: { id: other } }, stranger)).status).toBe(200)
  expect(Buffer.from((await server.deps.files.get(theirs)) ?? []).toString()).toBe('Secret du voisin')
})
