import { parse } from 'node:path'
import { lots } from '@voisol/contract/lots'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

const LOTS = [
  { number: '1', holder: 'Mme Morel', shares: 137 },
  { number: '2', holder: 'M. Aït-Kaci', shares: 211 },
  { number: '3 bis', holder: '', shares: 83 },
]
const OCTOBER = { from: '2025-10-01', to: '2025-11-01' }

/** A buyer invoiced for October, whose charge is spread over three lots. */
async function makeSpreadBuyer(by: 'share' | 'lot' = 'share') {
  const admin = await makeUser(server.db)
  const world = await makeMonthFixture(server.db, { companyId: admin.companyId, members: 2, month: '2025-10' })
  await issueMonthDocuments(server.db, world)
  const id = world.people[0]?.participant.id ?? ''
  const auth = { token: admin.token }
  const saved = await call(server, lots.save, { params: { id }, body: { by, lots: LOTS, version: 0 } }, auth)
  const charges = (query: { from: string; to: string } = OCTOBER) =>
    call(server, lots.charges, { params: { id }, query }, auth)
  return { admin, world, id, auth, saved, charges }
}
const sum = (rows: { gross: number; wh: number }[], key: 'gross' | 'wh') => rows.reduce((all, row) => all + row[key], 0)

test('spreads a buyer’s invoices over its lots to the cent and the watt-hour', async () => {
  const { saved, charges } = await makeSpreadBuyer()
  expect(saved.body).toMatchObject({ by: 'share', shares: 431, version: 1 })
  const { body } = await charges()
  expect(body.gross).toBeGreaterThan(0)
  expect([sum(body.lots, 'gross'), sum(body.lots, 'wh')]).toEqual([body.gross, body.wh])
  expect(body.documents.reduce((all: number, { gross }: { gross: number }) => all + gross, 0)).toBe(body.gross)
  const [first, second, third] = body.lots
  expect(first.gross).toBeLessThan(second.gross)
  expect(third.gross).toBeLessThan(first.gross)
  expect(Math.abs(first.gross * 431 - body.gross * 137)).toBeLessThan(431)
})

test('spreads equally by lot, except for the indivisible cents', async () => {
  const { charges } = await makeSpreadBuyer('lot')
  const amounts: number[] = (await charges()).body.lots.map(({ gross }: { gross: number }) => gross)
  expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1)
})

test('charges nothing for days without a document, and refuses an end before the beginning', async () => {
  const { charges } = await makeSpreadBuyer()
  const { body } = await charges({ from: '2025-11-01', to: '2025-12-01' })
  expect([body.gross, body.documents, body.lots.map(({ gross }: { gross: number }) => gross)]).toEqual([
    0,
    [],
    [0, 0, 0],
  ])
  expect((await charges({ from: '2025-11-01', to: '2025-10-01' })).status).toBe(422)
})

test('refuses repeated lots, zero shares and an older version with a sentence each, and stores nothing', async () => {
  const { id, auth } = await makeSpreadBuyer()
  const save = (body: object) =>
    call(server, lots.save, { params: { id }, body: { by: 'share', lots: LOTS, version: 1, ...body } }, auth)
  const twice = await save({ lots: [...LOTS, { number: '1', holder: '', shares: 4 }] })
  expect([twice.status, twice.body.issues[0].message]).toEqual([422, 'Le lot 1 est nommé deux fois.'])
  const none = await save({ lots: LOTS.map((lot) => ({ ...lot, shares: 0 })) })
  expect(none.body.issues[0].message).toContain('Aucun lot n’a de tantièmes')
  expect((await save({ version: 0 })).status).toBe(409)
  expect((await call(server, lots.get, { params: { id } }, auth)).body).toMatchObject({ shares: 431, version: 1 })
})

test('spreads nothing without lots, and drops the buyer from the list', async () => {
  const { id, auth, charges } = await makeSpreadBuyer()
  const listed = async () => (await call(server, lots.list, {}, auth)).body.items
  expect(await listed()).toMatchObject([{ buyer: { id }, lots: 3, shares: 431 }])
  await call(server, lots.save, { params: { id }, body: { by: 'share', lots: [], version: 1 } }, auth)
  expect(await listed()).toEqual([])
  const refused = await charges()
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('n’a pas de lots')])
})

test('exports the charges per lot as PDF and as a table', async () => {
  const { admin, id, charges } = await makeSpreadBuyer()
  const { body } = await charges()
  const get = (format: string) =>
    server.app.inject({
      url: `/api/buyers/${id}/charges/file?from=2025-10-01&to=2025-11-01&format=${format}`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
  const csv = (await get('csv')).body
  expect(csv.split('\r\n').at(-2) ?? '').toMatch(/^Total;;431;/)
  expect(csv).toContain(`${(body.gross / 100).toFixed(2).replace('.', ',').replace(/,?0+$/, '')}`)
  const pdf = await get('pdf')
  expect(parse(decodeURIComponent(String(pdf.headers['content-disposition']))).ext).toContain('.pdf')
  const text = extractPdfText(new Uint8Array(pdf.rawPayload))
  expect(text).toContain('Mme Morel')
  expect(text).toContain(body.documents[0].number)
  expect(text).not.toContain('Voisol')
})
