import { bank } from '@voisol/contract/bank'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  ANNA_IBAN,
  type BankFileEntry,
  buildCamt053,
  makeSalesFixture,
  type SalesFixture,
  signAllMandates,
} from '../../../../test/factories-bank.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  TEST_SECRETS,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { issueDocuments } from '../../billing/invoices/index.ts'
import { loadOpenItems } from '../payments/index.ts'

const server = useServer()

/** Issues a credit note of a few cents against the first invoice. */
async function credit({ companyId, world, invoices }: SalesFixture, gross: number) {
  const [original] = invoices
  const document = computeMonthDocuments(world.input).find(({ buyer }) => buyer === original?.buyerId)
  if (!original || !document) throw new Error('one invoice')
  const { snapshot, ...draft } = buildSnapshotDraft(world, document)
  const { id, number, issuedOn } = original
  const corrects = { id, number, issuedOn, reason: 'Relevé corrigé par Enedis.' }
  const totals = { ...snapshot.totals, gross, net: gross, tax: 0 }
  const drafts = [
    { ...draft, snapshot: { ...snapshot, kind: 'creditNote' as const, typeCode: 381 as const, totals, corrects } },
  ]
  const order = { companyId, operationId: world.operation.id, computationId: null, issuedBy: 'Camille', drafts }
  await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, order)
}

async function lineOf(sales: SalesFixture, entry: BankFileEntry) {
  const params = { id: sales.account.id }
  const upload = buildCamt053({ entries: [entry] })
  const { body } = await call(server, bank.import, { params, query: { name: 'releve.xml' }, upload }, sales.auth)
  expect(body).toMatchObject({ posted: 0, open: 1 })
  return (await call(server, bank.lines, { query: { state: 'open' } }, sales.auth)).body.items[0]
}
const accept = ({ auth }: SalesFixture, { id, version }: { id: string; version: number }) =>
  call(server, bank.accept, { params: { id }, body: { version } }, auth)
const openOf = async ({ companyId, world }: SalesFixture) =>
  (await loadOpenItems(server.db, companyId, { sellerId: world.seller.id })).map(({ number, side, open }) => [
    number,
    side,
    open,
  ])

test('proposes a payment of the sum before the credit note, and keeps the excess as an advance', async () => {
  const sales = await makeSalesFixture(server)
  await signAllMandates(server, sales)
  const [first, second] = sales.invoices
  const gross = first?.gross ?? 0
  await credit(sales, 317)
  const line = await lineOf(sales, { amount: gross, iban: ANNA_IBAN, name: 'M OU MME X' })
  expect(line.proposal).toMatchObject({
    step: 4,
    certain: false,
    invoices: [{ number: first?.number, open: gross - 317 }],
    sentence: expect.stringMatching(
      /^Compte connu et montant\. C’est la somme d’avant l’avoir\u00a0: 3,17\u00a0€ de trop/,
    ),
  })
  expect((await accept(sales, line)).body.state).toBe('posted')
  expect(await openOf(sales)).toEqual(
    expect.arrayContaining([
      [second?.number, 'debit', second?.gross],
      ['', 'credit', 317],
    ]),
  )
})

test('posts a payment of a cancelled invoice to its buyer as an advance, which can be undone', async () => {
  const sales = await makeSalesFixture(server)
  const [first, second] = sales.invoices
  const gross = first?.gross ?? 0
  await credit(sales, gross)
  const line = await lineOf(sales, { amount: gross, text: `VIR ${first?.number}`, name: 'ANNA' })
  expect(line.proposal).toMatchObject({ step: 3, certain: false, invoices: [{ number: first?.number, open: 0 }] })
  const { body: posted } = await accept(sales, line)
  expect(posted).toMatchObject({ state: 'posted', settled: expect.stringContaining('Avance') })
  const left = [second?.number, 'debit', second?.gross]
  expect(await openOf(sales)).toEqual(expect.arrayContaining([left, ['', 'credit', gross]]))
  const body = { version: posted.version }
  await call(server, bank.undo, { params: { id: posted.id }, body }, sales.auth)
  expect(await openOf(sales)).toEqual([left])
})

test('proposes nothing for a second payment of an invoice that a first payment closed', async () => {
  const sales = await makeSalesFixture(server)
  await signAllMandates(server, sales)
  const [first] = sales.invoices
  const amount = first?.gross ?? 0
  const entries = [{ amount, text: first?.number ?? '', reference: 'A' }]
  const query = { name: 'releve.xml' }
  const params = { id: sales.account.id }
  const { body } = await call(server, bank.import, { params, query, upload: buildCamt053({ entries }) }, sales.auth)
  expect(body.posted).toBe(1)
  const again = { opening: 103_417 + amount, from: '2026-06-19' }
  const second = { amount, iban: ANNA_IBAN, text: `VIR ${first?.number}`, reference: 'B', on: '2026-06-19' }
  const twice = buildCamt053({ entries: [second], ...again })
  await call(server, bank.import, { params, query, upload: twice }, sales.auth)
  const { body: lines } = await call(server, bank.lines, { query: { state: 'open' } }, sales.auth)
  expect(lines.items).toMatchObject([{ amount, proposal: null }])
})
