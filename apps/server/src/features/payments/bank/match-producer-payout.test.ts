import { bank } from '@voisol/contract/bank'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  type BankFileEntry,
  buildCamt053,
  makeSalesFixture,
  type SalesFixture,
} from '../../../../test/factories-bank.ts'
import { makeSeller } from '../../../../test/factories-billing.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { bankLines, bookEntries, payouts } from '../../../db/schema/index.ts'

const server = useServer()

/** Two payouts to producers whose file was sent to the bank. */
async function makeFiledPayouts() {
  const sales = await makeSalesFixture(server)
  const { companyId, account } = sales
  const rows = []
  for (const [at, amount] of [41_317, 20_659].entries()) {
    const { id: sellerId } = await makeSeller(server.db, { companyId })
    const about = { companyId, sellerId, accountId: account.id, amount, createdBy: 'Camille' }
    const names = { endToEndId: `RV20260615-${companyId}A${at}`, messageId: `RV-${companyId}-FILE` }
    rows.push(
      (
        await server.db
          .insert(payouts)
          .values({ ...about, ...names, status: 'filed' })
          .returning()
      )[0],
    )
  }
  return { ...sales, rows }
}
async function importing({ account, auth, companyId }: SalesFixture, entries: BankFileEntry[]) {
  const upload = buildCamt053({ entries, opening: 500_413 })
  await call(server, bank.import, { params: { id: account.id }, query: { name: 'releve.xml' }, upload }, auth)
  return server.db.select().from(bankLines).where(eq(bankLines.companyId, companyId)).orderBy(bankLines.amount)
}
const loadPayoutRows = (companyId: number) =>
  server.db.select().from(payouts).where(eq(payouts.companyId, companyId)).orderBy(payouts.amount)

test('marks a payout as paid by a line with its reference and amount, and as waiting when undone', async () => {
  const own = await makeFiledPayouts()
  const entry = { amount: -41_317, endToEndId: own.rows[0]?.endToEndId ?? '', reference: 'VIR-9' }
  const [line] = await importing(own, [entry])
  expect(line).toMatchObject({ status: 'posted', step: 1 })
  expect(await loadPayoutRows(own.companyId)).toMatchObject([
    { status: 'filed', lineId: null },
    { status: 'paid', lineId: line?.id, paidOn: line?.bookedOn, bankReference: 'VIR-9' },
  ])
  const undone = { params: { id: line?.id ?? '' }, body: { version: line?.version ?? 0 } }
  expect((await call(server, bank.undo, undone, own.auth)).body.state).toBe('open')
  expect((await loadPayoutRows(own.companyId)).map(({ status, paidOn }) => [status, paidOn])).toEqual([
    ['filed', null],
    ['filed', null],
  ])
  const { body } = await call(server, bank.lines, { query: { state: 'open' } }, own.auth)
  expect(body.items[0].proposal.sentence).toContain('Reversement à')
  const told = await listRecordedEvents(server.db, own.companyId, ['payout.transferred', 'payout.reopened'])
  const id = own.rows[0]?.id
  expect(told.map(({ name, object }) => [name, object])).toEqual([
    ['payout.transferred', id],
    ['payout.reopened', id],
  ])
  expect(told[0]?.data).toMatchObject({ on: line?.bookedOn, amount: 41_317 })
})

test('marks all payouts of a file as paid by one line for the whole file', async () => {
  const own = await makeFiledPayouts()
  const [line] = await importing(own, [{ amount: -61_976, text: `VIR SEPA ${own.rows[0]?.messageId}` }])
  expect((await loadPayoutRows(own.companyId)).map(({ status, lineId }) => [status, lineId])).toEqual([
    ['paid', line?.id],
    ['paid', line?.id],
  ])
  const { body } = await call(server, bank.lines, { query: {} }, own.auth)
  expect(body.items[0].settled).toContain('Reversement à')
})

test('posts nothing when the amount is a cent less or the reference is unknown', async () => {
  const own = await makeFiledPayouts()
  const named = { endToEndId: own.rows[0]?.endToEndId ?? '' }
  const lines = await importing(own, [
    { amount: -41_316, ...named },
    { amount: -20_659, text: 'PRLV LOYER' },
  ])
  expect(lines.map(({ status }) => status)).toEqual(['open', 'open'])
  expect((await loadPayoutRows(own.companyId)).map(({ status }) => status)).toEqual(['filed', 'filed'])
})

test('refuses to undo a payout that a locked month holds', async () => {
  const own = await makeFiledPayouts()
  const [line] = await importing(own, [{ amount: -20_659, endToEndId: own.rows[1]?.endToEndId ?? '' }])
  const about = { companyId: own.companyId, sellerId: own.world.seller.id, source: `payout:${own.rows[1]?.id}` }
  const journal = { journal: 'bank', journalCode: 'BQ', journalLabel: 'Banque', yearFrom: '2026-01-01', number: 1 }
  const piece = { day: '2026-06-18', pieceRef: 'X', pieceDay: '2026-06-18', label: 'X', validatedOn: '2026-07-01' }
  await server.db.insert(bookEntries).values({ ...about, ...journal, ...piece })
  const undone = { params: { id: line?.id ?? '' }, body: { version: line?.version ?? 0 } }
  const refused = await call(server, bank.undo, undone, own.auth)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('mois verrouillé')])
  const paid = and(eq(payouts.companyId, own.companyId), eq(payouts.status, 'paid'))
  expect(await server.db.$count(payouts, paid)).toBe(1)
})
