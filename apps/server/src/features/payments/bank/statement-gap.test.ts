import { bank } from '@voisol/contract/bank'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  ANNA_IBAN,
  type BankFileEntry,
  BRUNO_IBAN,
  buildCamt053,
  makeOwnBankAccount,
  makeSalesFixture,
  type SalesFixture,
} from '../../../../test/factories-bank.ts'
import { useServer } from '../../../../test/server.ts'
import { bankLines } from '../../../db/schema/index.ts'
import { loadOpenItems } from '../payments/index.ts'

const server = useServer()
const give = (sales: SalesFixture, upload: Buffer, more: { gap?: 'true' } = {}) => {
  const query = { name: 'releve.xml', ...more }
  return call(server, bank.import, { params: { id: sales.account.id }, query, upload }, sales.auth)
}
const statement = (sales: SalesFixture, entries: BankFileEntry[], more = {}) =>
  give(sales, buildCamt053({ entries, ...more }))
const openOf = async ({ companyId, world }: SalesFixture) =>
  (await loadOpenItems(server.db, companyId, { sellerId: world.seller.id })).map(({ number, open }) => [number, open])
const gross = (sales: SalesFixture, at: number) => sales.invoices[at]?.gross ?? 0
const number = (sales: SalesFixture, at: number) => sales.invoices[at]?.number ?? ''

test('refuses a statement after a gap, and keeps the gap beside the statement when accepted', async () => {
  const sales = await makeSalesFixture(server)
  await statement(sales, [{ amount: 1000 }], { opening: 5000, from: '2026-06-18' })
  const chained = await statement(sales, [{ amount: 10, reference: 'A' }], { opening: 6000, from: '2026-06-19' })
  expect(chained.body.sentences).toEqual([])
  const paid = { amount: gross(sales, 0), text: number(sales, 0), reference: 'B' }
  const later = buildCamt053({ entries: [paid], opening: 7010, from: '2026-06-22' })
  const before = await openOf(sales)
  const refused = await give(sales, later)
  expect(refused).toMatchObject({ status: 409, body: { code: 'balance-gap' } })
  expect(refused.body.message).toContain('10,00\u00a0€ de mouvements manquent')
  expect(refused.body.message).toContain('Rien n’est importé')
  expect(await openOf(sales)).toEqual(before)
  expect(await server.db.$count(bankLines, eq(bankLines.companyId, sales.companyId))).toBe(2)
  const taken = await give(sales, later, { gap: 'true' })
  expect(taken.body).toMatchObject({ statements: 1, posted: 1 })
  expect(taken.body.sentences).toEqual([expect.stringContaining('10,00\u00a0€ de mouvements manquent')])
  const listed = (await call(server, bank.statements, {}, sales.auth)).body.items
  expect(listed.map(({ gap }: { gap: string }) => gap !== '')).toEqual([true, false, false])
  expect(listed.map(({ to }: { to: string }) => to)).toEqual(['2026-06-22', '2026-06-19', '2026-06-18'])
})

test('sees no gap when the current day is published again, and one when its opening balance differs', async () => {
  const sales = await makeSalesFixture(server)
  const on = { from: '2026-06-18' }
  await statement(sales, [{ amount: 1000, reference: 'A' }], { ...on, opening: 5000 })
  const more = [
    { amount: 1000, reference: 'A' },
    { amount: 300, reference: 'B' },
  ]
  expect((await statement(sales, more, { ...on, opening: 5000 })).body).toMatchObject({ known: 1, lines: 2 })
  expect((await statement(sales, [{ amount: -100, reference: 'C' }], { ...on, opening: 6301 })).status).toBe(409)
  expect((await statement(sales, [{ amount: -100, reference: 'C' }], { ...on, opening: 6300 })).status).toBe(200)
})

test('accepts two statements of a day in either order: the next day follows either', async () => {
  const sales = await makeSalesFixture(server)
  await statement(sales, [{ amount: 300, reference: 'B' }], { opening: 6000, from: '2026-06-18' })
  const morning = buildCamt053({ entries: [{ amount: 1000, reference: 'A' }], opening: 5000, from: '2026-06-18' })
  expect((await give(sales, morning, { gap: 'true' })).status).toBe(200)
  const next = await statement(sales, [{ amount: 10, reference: 'C' }], { opening: 6300, from: '2026-06-19' })
  expect([next.status, next.body.sentences]).toEqual([200, []])
})

test('accepts several statements of a day in one file: the next day follows the last of them', async () => {
  const sales = await makeSalesFixture(server)
  const [first, second] = [
    buildCamt053({ entries: [{ amount: 1000, reference: 'A' }], opening: 5000 }).toString(),
    buildCamt053({ entries: [{ amount: -300, reference: 'B' }], opening: 6000 }).toString(),
  ]
  const inner = second.slice(second.indexOf('<Stmt>'), second.indexOf('</BkToCstmrStmt>'))
  const both = await give(sales, Buffer.from(first.replace('</BkToCstmrStmt>', `${inner}</BkToCstmrStmt>`)))
  expect(both.body).toMatchObject({ statements: 2, lines: 2, sentences: [] })
  const next = await statement(sales, [{ amount: 7, reference: 'D' }], { from: '2026-06-19', opening: 5700 })
  expect(next.body).toMatchObject({ statements: 1, sentences: [] })
})

test('names the right account when a statement is uploaded to another, and imports nothing', async () => {
  const sales = await makeSalesFixture(server)
  const about = { ownerId: sales.world.seller.id, iban: BRUNO_IBAN, name: 'Livret' }
  await makeOwnBankAccount(server, sales.companyId, about)
  const refused = await give(sales, buildCamt053({ entries: [{ amount: 1000 }], iban: BRUNO_IBAN }))
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain('Rien n’est importé. Choisissez «\u00a0Livret\u00a0»')
  const stranger = await give(sales, buildCamt053({ entries: [{ amount: 1000 }], iban: ANNA_IBAN }))
  expect(stranger.body.message).not.toContain('Choisissez')
  expect(await server.db.$count(bankLines, eq(bankLines.companyId, sales.companyId))).toBe(0)
})
