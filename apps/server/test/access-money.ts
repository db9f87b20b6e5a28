import { DEFAULT_CHART_OF_ACCOUNTS, JOURNALS } from '@voisol/money/accounts/chart-of-accounts'
import { transaction } from '../src/db/client.ts'
import {
  bankAccounts,
  bankLines,
  bankStatements,
  bookDoubts,
  bookProfiles,
  debitRuns,
  declarations,
  dutyMarks,
  invoiceFiles,
  mandates,
  payouts,
  reminderHolds,
  reminders,
} from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker, PathParams } from './access-makers.ts'
import type { TestServer } from './client.ts'
import { UNKNOWN_ID } from './factories.ts'
import { makeInsight, makeRegulatoryExport } from './factories-analytics.ts'
import { makeOnlinePayment, makeOnlineProvider, makeUnmatchedOnlineEvent } from './factories-bank.ts'
import {
  makeBillingMandate,
  makeBuyerGroup,
  makeReview,
  makeSeller,
  makeSellerAndBuyer,
  makeSellerVat,
  makeSupplierBill,
} from './factories-billing.ts'
import { makeParticipant } from './factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture } from './factories-invoices.ts'
import { makePriceIndex, makeTariff, makeTariffDiscount, makeTariffFee } from './factories-tariffs.ts'

type MoneyMakerTools = {
  file: (server: TestServer, companyId: number) => Promise<string>
  operationOf: (server: TestServer, owner: Owner) => Promise<string>
  secret: string
}

/** Billing and payment objects, by the path that names them. */
export function moneyMakers({ file, operationOf, secret: SECRET }: MoneyMakerTools): [RegExp, ParamsMaker][] {
  const seller: ParamsMaker = async ({ db }, { companyId }) => ({
    id: (await makeSeller(db, { companyId, name: SECRET })).id,
  })

  const mandate: ParamsMaker = async (server, { companyId }) => {
    const { id: sellerId } = await makeSeller(server.db, { companyId, name: SECRET })
    return {
      id: (await makeBillingMandate(server.db, { companyId, sellerId, fileId: await file(server, companyId) })).id,
    }
  }

  const vat: ParamsMaker = async ({ db }, { companyId }) => {
    const { id: sellerId } = await makeSeller(db, { companyId, name: SECRET })
    return { id: (await makeSellerVat(db, { companyId, sellerId })).id }
  }

  type OperationPriceFields = { companyId: number; operationId: string; label: string }
  const createPriceMaker =
    (make: (db: TestServer['db'], values: OperationPriceFields) => Promise<{ id: string }>): ParamsMaker =>
    async (server, owner) => {
      const { companyId } = owner
      const operationId = await operationOf(server, owner)
      return { id: (await make(server.db, { companyId, operationId, label: SECRET })).id }
    }
  /** With its file already made, so that no job runs during the tested call. */
  const invoice: ParamsMaker = async (server, { companyId }) => {
    const world = await makeMonthFixture(server.db, { companyId, members: 1 })
    const fileId = await file(server, companyId)
    return transaction(server.db, async (tx) => {
      const { ids } = await issueMonthDocuments(tx, world)
      await tx.insert(invoiceFiles).values({ companyId, invoiceId: ids[0] ?? '', kind: 'pdf', fileId })
      return { id: ids[0], line: 0, day: '2026-05-04' }
    })
  }

  const payment: ParamsMaker = async ({ db }, { companyId, id: userId }) => {
    const { document, pay } = await makeSellerAndBuyer(db, { companyId, userId })
    await document(2317)
    return { id: (await pay(1000, { note: SECRET })).id }
  }
  const paidBuyer: ParamsMaker = async ({ db }, { companyId, id: userId }) => {
    const { buyer, document } = await makeSellerAndBuyer(db, { companyId, userId })
    await document(2317)
    return { id: buyer.id }
  }

  const reminder: ParamsMaker = async ({ db }, { companyId }) => {
    const { pair, document } = await makeSellerAndBuyer(db, { companyId })
    await document(2317)
    const whose = { companyId, sellerId: pair.sellerId, buyerId: pair.buyerId }
    const seller = { name: SECRET, address: '', email: '', phone: '' }
    const letter = { title: 'Rappel', text: '', seller, buyer: { name: '', address: '' }, items: [] }
    const snapshot = { ...letter, open: 2317, fees: null, before: [] }
    const about = { level: 1, sentOn: '2026-05-04', open: 2317, snapshot, createdBy: SECRET }
    const [row] = await db
      .insert(reminders)
      .values({ ...whose, ...about })
      .returning()
    return { id: row?.id }
  }
  const hold: ParamsMaker = async ({ db }, { companyId }) => {
    const { pair, document } = await makeSellerAndBuyer(db, { companyId })
    await document(2317)
    const whose = { companyId, sellerId: pair.sellerId, buyerId: pair.buyerId }
    const about = { kind: 'dispute', reason: SECRET, startsOn: '2026-05-04', createdBy: 'test' }
    const [row] = await db
      .insert(reminderHolds)
      .values({ ...whose, ...about })
      .returning()
    return { id: row?.id }
  }
  const payout: ParamsMaker = async (server, { companyId }) => {
    const { id: sellerId } = await makeSeller(server.db, { companyId, name: SECRET })
    const bank = { companyId, ownerId: sellerId, name: SECRET }
    const [account] = await server.db.insert(bankAccounts).values(bank).returning()
    const about = { amount: 2317, endToEndId: crypto.randomUUID(), status: 'filed', createdBy: 'test' }
    const place = { companyId, sellerId, accountId: account?.id ?? '', fileId: await file(server, companyId) }
    const [row] = await server.db
      .insert(payouts)
      .values({ ...place, ...about })
      .returning()
    return { id: row?.id }
  }

  const statementParams = ({ id }: PathParams): PathParams => ({ sellerId: id, month: '2026-05', year: 2026 })

  const review: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const operationId = await operationOf(server, owner)
    return { id: (await makeReview(server.db, { companyId, operationId, reason: SECRET })).id }
  }

  const regulatory: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const [operationId, fileId] = [await operationOf(server, owner), await file(server, companyId)]
    return { id: (await makeRegulatoryExport(server.db, { companyId, operationId, fileId, createdBy: SECRET })).id }
  }
  const insight: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const operationId = await operationOf(server, owner)
    return { id: (await makeInsight(server.db, { companyId, operationId, reason: SECRET })).id }
  }
  const duty: ParamsMaker = async ({ db }, { companyId }) => {
    const key = `vat:${crypto.randomUUID()}:2026-05`
    await db.insert(dutyMarks).values({ companyId, duty: key, doneOn: '2026-06-04', createdBy: SECRET })
    return { key }
  }
  const profile: ParamsMaker = async ({ db }, { companyId }) => {
    const [row] = await db
      .insert(bookProfiles)
      .values({ companyId, name: `${SECRET} ${crypto.randomUUID()}`, profile: {} })
      .returning()
    return { id: row?.id }
  }
  const declaration: ParamsMaker = async (server, { companyId }) => {
    const { id: sellerId } = await makeSeller(server.db, { companyId, name: SECRET })
    const span = { from: '2026-01-01', to: '2027-01-01' }
    const values = { companyId, kind: 'vat', sellerId, ...span, number: 1, fileId: await file(server, companyId) }
    const [row] = await server.db
      .insert(declarations)
      .values({ ...values, sha256: 'e3b0', createdBy: 'Camille' })
      .returning()
    return { id: row?.id }
  }
  const doubt: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const { id: invoiceId } = await invoice(server, owner)
    const values = { companyId, invoiceId: String(invoiceId), cents: 614, lost: 256, bookedOn: '2026-06-30' }
    const [row] = await server.db
      .insert(bookDoubts)
      .values({ ...values, reason: SECRET, createdBy: 'Camille' })
      .returning()
    return { id: row?.id }
  }

  return [
    [/^\/api\/insights\/:id/, insight],
    [/^\/api\/regulatory\/:id/, regulatory],
    [/^\/api\/regulatory\/duties\/:key/, duty],
    [/^\/api\/sellers\/:id/, seller],
    [/^\/api\/billing-mandates\/:id/, mandate],
    [/^\/api\/seller-vat\/:id/, vat],
    [/^\/api\/buyer-groups\/:id/, async ({ db }, owner) => ({ id: (await makeBuyerGroup(db, owner)).id })],
    [
      /^\/api\/buyers\/:id/,
      async ({ db }, { companyId }) => ({ id: (await makeParticipant(db, { companyId, name: SECRET })).id }),
    ],
    [/^\/api\/statements\/:sellerId/, async (server, owner) => statementParams(await seller(server, owner))],
    [
      /^\/api\/books\/:sellerId/,
      async ({ db }, { companyId }) => ({ sellerId: (await makeSeller(db, { companyId, name: SECRET })).id }),
    ],
    [/^\/api\/declarations\/:id/, declaration],
    [/^\/api\/book-profiles\/:id/, profile],
    [/^\/api\/book-doubts\/:id/, doubt],
    [/^\/api\/corrections\/:id/, review],
    [
      /^\/api\/billing\/months\/:operationId/,
      async (server, owner) => ({ operationId: await operationOf(server, owner), month: '2025-10' }),
    ],
    [/^\/api\/tariffs\/:id/, createPriceMaker(makeTariff)],
    [/^\/api\/tariff-fees\/:id/, createPriceMaker(makeTariffFee)],
    [/^\/api\/tariff-discounts\/:id/, createPriceMaker(makeTariffDiscount)],
    [
      /^\/api\/price-indexes\/:id/,
      async ({ db }, { companyId }) => ({ id: (await makePriceIndex(db, { companyId, source: SECRET })).id }),
    ],
    [/^\/api\/invoices\/:id/, invoice],
    [/^\/api\/payments\/invoices\/:id/, invoice],
    [/^\/api\/payments\/accounts\/:id/, paidBuyer],
    [/^\/api\/payments\/:id/, payment],
    [/^\/api\/reminders\/:id/, reminder],
    [/^\/api\/reminder-holds\/:id/, hold],
    [/^\/api\/payouts\/:id/, payout],
    ...bankMakers({ file, secret: SECRET }),
    [
      /^\/api\/online\/providers\/:id/,
      async ({ db, deps }, { companyId }) => {
        const { id: ownerId } = await makeSeller(db, { companyId, name: SECRET })
        return { id: (await makeOnlineProvider(db, { companyId, ownerId, name: SECRET, secrets: deps.secrets })).id }
      },
    ],
    [
      /^\/api\/supplier-bills\/:id/,
      async ({ db }, { companyId }) => ({ id: (await makeSupplierBill(db, { companyId, supplier: SECRET })).id }),
    ],
    [/^\/api\/online\/webhooks\//, (_, { companyId }) => ({ companyId, id: crypto.randomUUID() })],
    [/^\/api\/online\/trials\/:id/, () => ({ id: 'cs_test_0123456789abcdef' })],
    [
      /^\/api\/online\/checkout\/:invoiceId/,
      async (server, owner) => ({ invoiceId: (await invoice(server, owner)).id }),
    ],
    [
      /^\/api\/online\/payments\/:id/,
      async ({ db, deps }, { companyId }) => ({
        id: (await makeOnlinePayment(db, { companyId, secrets: deps.secrets, name: SECRET })).payment.id,
      }),
    ],
    [
      /^\/api\/online\/letters\/:id/,
      async ({ db }, { companyId }) => {
        const { id: ownerId } = await makeSeller(db, { companyId, name: SECRET })
        return { id: (await makeUnmatchedOnlineEvent(db, { companyId, ownerId, about: SECRET })).id }
      },
    ],
  ]
}

type BankMakerTools = { file: (server: TestServer, companyId: number) => Promise<string>; secret: string }

/** Bank objects, by the path that names them. */
function bankMakers({ file, secret }: BankMakerTools): [RegExp, ParamsMaker][] {
  const account: ParamsMaker = async ({ db }, { companyId }) => {
    const { id: ownerId } = await makeSeller(db, { companyId, name: secret })
    const id = crypto.randomUUID()
    await db.insert(bankAccounts).values({ companyId, id, ownerId, name: secret, ics: 'FR72ZZZ123456' })
    return { id }
  }
  const mandate: ParamsMaker = async (server, { companyId }) => {
    const { id: creditorId } = await makeSeller(server.db, { companyId, name: secret })
    const { id: participantId } = await makeParticipant(server.db, { companyId, name: secret })
    const id = crypto.randomUUID()
    const account = { iban: 'sealed', ibanEnd: '0189', ibanPrint: id, holder: secret }
    const signed = {
      rum: id.slice(0, 8),
      signedOn: '2025-01-01',
      statusOn: '2025-01-01',
      method: 'paper',
      createdBy: 'test',
    }
    const fileId = await file(server, companyId)
    await server.db.insert(mandates).values({ companyId, id, creditorId, participantId, fileId, ...account, ...signed })
    return { id }
  }
  const run: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const { id: accountId } = await account(server, owner)
    const id = crypto.randomUUID()
    const days = { collectionOn: '2026-06-18', submitBy: '2026-06-17', createdBy: secret }
    const fileId = await file(server, companyId)
    await server.db
      .insert(debitRuns)
      .values({ companyId, id, accountId: String(accountId), fileId, messageId: id, ...days })
    return { id }
  }
  const line: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const accountId = String((await account(server, owner)).id)
    const [statementId, id] = [crypto.randomUUID(), crypto.randomUUID()]
    const fileId = await file(server, companyId)
    const about = { companyId, accountId }
    await server.db
      .insert(bankStatements)
      .values({ ...about, id: statementId, fileId, format: 'csv', lines: 1, createdBy: secret })
    const lineFields = { identity: id, bookedOn: '2026-06-18', amount: 2317, label: secret }
    await server.db.insert(bankLines).values({ ...about, id, statementId, ...lineFields })
    return { id }
  }
  return [
    [/^\/api\/bank-accounts\/:id/, account],
    [/^\/api\/mandates\/:id/, mandate],
    [/^\/api\/debit-runs\/:id/, run],
    [/^\/api\/bank-lines\/:id/, line],
  ]
}

const PROFILE_BODY = {
  name: 'Le nôtre',
  profile: {
    columns: [{ field: 'account', header: 'Compte' }],
    separator: ';',
    header: true,
    decimal: ',',
    dates: 'dd/mm/yyyy',
    encoding: 'utf-8',
    extension: 'csv',
  },
}

/** Books and declarations: a valid body for each call, except the tested id. */
export const BOOK_BODIES = {
  'POST /api/declarations': { kind: 'vat', of: UNKNOWN_ID, year: 2026 },
  'POST /api/declarations/years': { kind: 'participantYear', year: 2026 },
  'POST /api/books/profiles': PROFILE_BODY,
  'PATCH /api/book-profiles/:id': { ...PROFILE_BODY, version: 1 },
  'PUT /api/books/:sellerId/settings': {
    chart: DEFAULT_CHART_OF_ACCOUNTS,
    journals: JOURNALS,
    yearStart: 1,
    smallWriteOff: 500,
    version: 0,
  },
  'POST /api/books/:sellerId/locks': { month: '2026-05' },
  'POST /api/books/:sellerId/notes': {
    source: `invoice:${UNKNOWN_ID}`,
    kind: 'question',
    text: 'Pourquoi ce compte ?',
  },
  'POST /api/books/:sellerId/doubts': {
    invoiceId: UNKNOWN_ID,
    lostBp: 5000,
    bookedOn: '2026-06-30',
    reason: 'Sans nouvelles depuis trois mois',
  },
  'POST /api/book-doubts/:id/lift': { bookedOn: '2026-07-31' },
}
export const BOOK_QUERIES = {
  'GET /api/declarations/vat': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/accise': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/e-reporting': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/archive': { year: '2026', kind: 'participantYear' },
  'GET /api/books/:sellerId/months': { year: '2026' },
  'GET /api/books/:sellerId/entries': { month: '2026-05' },
  'GET /api/books/:sellerId/balance': { year: '2026' },
  'GET /api/books/:sellerId/ties': { year: '2026' },
  'GET /api/books/:sellerId/fec': { year: '2026' },
  'GET /api/books/:sellerId/sales': { year: '2026' },
  'GET /api/books/:sellerId/export': { from: '2026-05', to: '2026-06', profile: 'generic' },
  'GET /api/books/:sellerId/notes': { source: `invoice:${UNKNOWN_ID}` },
}
