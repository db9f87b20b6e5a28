import { invoices as api } from '@voisol/contract/invoices'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  issueMonthDocuments,
  type MonthFixture,
  makeMonthFixture,
  TEST_SECRETS,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { getToday } from '../../../today.ts'
import { issueDocuments } from './index.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
let client: Awaited<ReturnType<typeof makeUser>>
let world: MonthFixture
let ids: string[]

/** Issues a credit note against the given document. */
async function creditNote(ofMonth: MonthFixture, original: string, gross: number, dueDays = 15) {
  const buyer = ofMonth.people[0]?.participant.id
  const document = computeMonthDocuments(ofMonth.input).find((one) => one.buyer === buyer)
  if (!document) throw new Error('one document')
  const { snapshot, ...draft } = buildSnapshotDraft(ofMonth, document)
  const [{ number = '', issuedOn = '' } = {}] = (await list({ buyerId: snapshot.buyer.id })).items.filter(
    (row: { id: string }) => row.id === original,
  )
  const corrects = { id: original, number, issuedOn, reason: 'Relevé corrigé par Enedis.' }
  const totals = { ...snapshot.totals, gross, net: gross, tax: 0 }
  const { ids: made } = await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, {
    companyId: ofMonth.companyId,
    operationId: ofMonth.operation.id,
    computationId: null,
    issuedBy: 'Camille',
    drafts: [{ ...draft, dueDays, snapshot: { ...snapshot, kind: 'creditNote', typeCode: 381, totals, corrects } }],
  })
  return made[0] ?? ''
}

const list = async (query: Record<string, string> = {}, token = admin.token) =>
  (await call(server, api.list, { query }, { token })).body

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  client = await makeUser(server.db, { companyId, isAdmin: false })
  world = await makeMonthFixture(server.db, { companyId, members: 3, prefix: 'SOL', userId: client.id })
  ids = (await issueMonthDocuments(withoutSubscribers(server.db), world)).ids
})

test('lists open amounts by age, with names as printed', async () => {
  const { items, total, totals } = await list()
  expect(total).toBe(3)
  expect(items[0]).toMatchObject({ kind: 'invoice', state: 'due', delivery: null, seller: { name: world.seller.name } })
  const gross = items.reduce((sum: number, row: { gross: number }) => sum + row.gross, 0)
  expect(totals).toMatchObject({ documents: 3, gross, open: gross, overdue: 0, credit: 0 })
  expect(totals.ageing).toEqual({ notDue: gross, upTo30: 0, upTo60: 0, over60: 0 })
})

test('filters documents by operation, seller, buyer, month, kind, state and text', async () => {
  const other = '00000000-0000-4000-8000-000000000000'
  const buyerId = world.people[1]?.participant.id ?? ''
  const counts = async (query: Record<string, string>) => (await list(query)).total
  expect(await counts({ operationId: world.operation.id })).toBe(3)
  expect((await call(server, api.list, { query: { operationId: other } }, { token: admin.token })).status).toBe(404)
  expect(await counts({ sellerId: other })).toBe(0)
  expect(await counts({ buyerId })).toBe(1)
  expect(await counts({ month: '2026-05-01' })).toBe(3)
  expect(await counts({ month: '2026-06-01' })).toBe(0)
  expect(await counts({ kind: 'creditNote' })).toBe(0)
  expect(await counts({ state: 'overdue' })).toBe(0)
  expect([await counts({ q: 'sol 00002' }), await counts({ q: 'sol 00009' })]).toEqual([1, 0])
  expect(await counts({ q: world.seller.name })).toBe(3)
  const sorted = (await list({ sort: 'number', size: '2', page: '2' })).items
  expect(sorted.map(({ number }: { number: string }) => number.slice(-1))).toEqual(['3'])
})

test('lists the operations, sellers and months to filter by', async () => {
  const { body } = await call(server, api.choices, {}, { token: admin.token })
  expect(body).toMatchObject({
    sellers: [{ id: world.seller.id }],
    operations: [{ id: world.operation.id }],
    months: ['2026-05-01'],
  })
})

test('settles a credit note with its own invoice, then the oldest due, then as a credit of the buyer', async () => {
  const month = await makeMonthFixture(server.db, { companyId: admin.companyId, members: 1 })
  const next = { ...month, input: { ...month.input, month: '2026-10' } }
  const [first = ''] = (await issueMonthDocuments(withoutSubscribers(server.db), month)).ids
  const [second = ''] = (await issueMonthDocuments(withoutSubscribers(server.db), next)).ids
  const buyerId = month.people[0]?.participant.id ?? ''
  const openOf = async () => {
    const { items, totals } = await list({ buyerId, sort: 'number' })
    return [items.map(({ open, state }: { open: number; state: string }) => [open, state]), totals.open, totals.credit]
  }
  const gross = (await list({ buyerId })).items[0].gross
  await creditNote(month, second, 300)
  expect(await openOf()).toEqual([
    [
      [gross, 'due'],
      [gross - 300, 'due'],
      [0, 'settled'],
    ],
    2 * gross - 300,
    0,
  ])
  await creditNote(month, first, 2 * gross)
  const left = 300
  expect(await openOf()).toEqual([
    [
      [0, 'settled'],
      [0, 'settled'],
      [0, 'settled'],
      [left, 'credit'],
    ],
    0,
    left,
  ])
  const { items } = (await call(server, api.accounts, {}, { token: admin.token })).body
  expect(items.find((one: { buyer: { id: string } }) => one.buyer.id === buyerId)).toMatchObject({
    documents: 4,
    open: 0,
    credit: left,
    lastOn: getToday(),
  })
})

test('shows a document with its hash, its history and its corrections', async () => {
  const { body } = await call(server, api.get, { params: { id: ids[0] } }, { token: admin.token })
  expect(body).toMatchObject({ id: ids[0], position: 1, previousHash: '', hasXml: true, corrections: [], state: 'due' })
  expect(body.snapshot.number).toMatch(/^SOL\d{4}-00001$/)
  expect(body.history.at(-1)).toMatchObject({ text: 'Facture émise', by: 'Camille' })
  const noteId = await creditNote(world, ids[0] ?? '', 101)
  const again = (await call(server, api.get, { params: { id: ids[0] } }, { token: admin.token })).body
  expect(again.corrections).toMatchObject([{ id: noteId, kind: 'creditNote', gross: 101 }])
  expect(again.history[0].text).toMatch(/^Correction émise\u00a0: SOL/)
  expect(again.open).toBe(again.snapshot.totals.gross - 101)
})

test('shows a client only their own documents', async () => {
  const mine = await list({}, client.token)
  expect(new Set(mine.items.map(({ buyer }: { buyer: { id: string } }) => buyer.id))).toEqual(
    new Set([world.people[0]?.participant.id]),
  )
  const ask = async (id: string | undefined) =>
    (await call(server, api.get, { params: { id } }, { token: client.token })).status
  expect([await ask(mine.items.at(-1).id), await ask(ids[1])]).toEqual([200, 404])
  for (const e of [api.pdf, api.xml, api.recompute, api.explain])
    expect((await call(server, e, { params: { id: ids[1] } }, { token: client.token })).status).toBe(404)
  const other = { buyerId: world.people[1]?.participant.id ?? '', year: '2026' }
  expect((await call(server, api.annual, { query: other }, { token: client.token })).status).toBe(404)
  const { body } = await call(server, api.get, { params: { id: mine.items[0].id } }, { token: client.token })
  expect([body.deliveries, body.history.every(({ by }: { by: string }) => by === '')]).toEqual([[], true])
})

test('hides documents from a user limited to another operation', async () => {
  const { companyId } = admin
  const elsewhere = await makeMonthFixture(server.db, { companyId, members: 1 })
  const limited = await makeUser(server.db, { companyId, role: 'accountant', operationIds: [elsewhere.operation.id] })
  expect((await list({}, limited.token)).total).toBe(0)
  await issueMonthDocuments(withoutSubscribers(server.db), elsewhere)
  expect((await list({}, limited.token)).total).toBe(1)
  expect((await call(server, api.get, { params: { id: ids[0] } }, { token: limited.token })).status).toBe(404)
  expect((await call(server, api.accounts, {}, { token: limited.token })).body.items).toHaveLength(1)
})

test('splits a line into days that add up to its exact energy', async () => {
  const params = { id: ids[0], line: 0 }
  const { body } = await call(server, api.lineDays, { params }, { token: admin.token })
  expect(body.wattMinutes).toBe('3580280')
  expect(body.items.map(({ day, wattMinutes, wh }: Record<string, unknown>) => [day, wattMinutes, wh])).toEqual([
    ['2026-05-04', '1234567', 20_576],
    ['2026-05-09', '2345713', 39_095],
  ])
  const beyond = await call(server, api.lineDays, { params: { ...params, line: 9 } }, { token: admin.token })
  expect(beyond.status).toBe(404)
})

test('exports a buyer’s year by month supplied, as JSON and as a spreadsheet', async () => {
  const buyerId = world.people[2]?.participant.id ?? ''
  const query = { buyerId, year: '2026' }
  const { body } = await call(server, api.annual, { query }, { token: admin.token })
  const [row] = (await list({ buyerId })).items
  expect(body.months).toMatchObject([{ month: '2026-05-01', gross: row.gross, documents: [{ id: row.id }] }])
  expect(body.totals).toEqual({ wh: row.wh, net: row.net, tax: row.tax, gross: row.gross })
  const { text } = await call(server, api.annualFile, { query }, { token: admin.token })
  expect(text).toContain(`mai 2026;${row.number};`)
  expect(text).toContain(`;${String(row.gross / 100).replace('.', ',')}\r\n`)
  expect(
    (await call(server, api.annual, { query: { buyerId, year: '2025' } }, { token: admin.token })).body.months,
  ).toEqual([])
})
