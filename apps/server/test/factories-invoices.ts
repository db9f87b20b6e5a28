import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { billing } from '@voisol/contract/billing'
import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { BillingDocument } from '@voisol/money/document'
import type { MonthInput } from '@voisol/money/input'
import { computeMonthOutcome } from '@voisol/money/month'
import { eq } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import {
  billingComputations,
  billingMonths,
  operations,
  participants,
  sellers,
  sellerVat,
} from '../src/db/schema/index.ts'
import { issueDocuments, type SnapshotDraft } from '../src/features/billing/invoices/index.ts'
import { createSecrets, type Secrets } from '../src/secrets.ts'
import { call, type TestServer } from './client.ts'
import { loadHolderId, makeAdoptedTariff, makeSellerOfParticipant, TEST_ADDRESS } from './factories-billing.ts'
import {
  makeOperation,
  makeOperationFixture,
  makeParticipant,
  makeParticipation,
  makePoint,
  requestKeyAdoption,
  runAllocation,
} from './factories-energy.ts'
import { waitForJobs } from './jobs.ts'

let count = 0
const requireRow = <T>([row]: T[]): T => {
  if (!row) throw new Error('nothing was inserted')
  return row
}

export async function makeSellerWithVat(db: Db, more: { companyId: number } & Partial<typeof sellers.$inferInsert>) {
  const n = ++count
  const about = { name: `Toiture partagée ${n}`, prefix: `T${n}`, siren: '552081317', address: '7 rue du Four' }
  const values = { ...about, postalCode: '69003', city: 'Lyon', ...more }
  const seller = requireRow(await db.insert(sellers).values(values).returning())
  const vat = { companyId: more.companyId, sellerId: seller.id, startsOn: '2020-01-01', createdBy: 'Camille' }
  await db.insert(sellerVat).values({ ...vat, mode: 'standard', rate: 2000 })
  return seller
}
type Seller = Awaited<ReturnType<typeof makeSellerWithVat>>

/** A closed month and its computation. */
export async function makeComputation(
  db: Db,
  { companyId, operationId }: { companyId: number; operationId: string },
  input: MonthInput,
  number = 1,
) {
  const month = `${input.month}-01`
  const closed = { companyId, operationId, month, status: 'closed', closedAt: new Date(), closedBy: 'Camille' }
  const [made] = await db.insert(billingMonths).values(closed).onConflictDoNothing().returning()
  const monthId =
    made?.id ??
    requireRow(
      (await db.select().from(billingMonths)).filter((row) => row.month === month && row.operationId === operationId),
    ).id
  const input_ = gzipSync(JSON.stringify({ input: { ...input, cells: input.cells.map(toPlainCells) } }))
  const values = { companyId, monthId, number, cause: { kind: 'close' }, input: input_, outcome: gzipSync('{}') }
  const rest = { totals: {}, hash: 'e3b0', createdBy: 'Camille' }
  return requireRow(
    await db
      .insert(billingComputations)
      .values({ ...values, ...rest })
      .returning(),
  )
}
const toPlainCells = (cells: MonthInput['cells'][number]) => ({ ...cells, wattMinutes: Array.from(cells.wattMinutes) })

/** `members` homes that share one roof in a month, each with a different consumption of a few kWh. */
export async function makeMonthFixture(
  db: Db,
  { companyId, month = '2026-05', members = 2, prefix, userId }: MonthFixtureInput,
): Promise<MonthFixture> {
  const operation = await makeOperation(db, { companyId })
  const seller = await makeSellerWithVat(db, { companyId, ...(prefix && { prefix }) })
  const plant = await makePoint(db, { companyId, direction: 'production' })
  const people = await Promise.all(
    Array.from({ length: members }, async (_, at) => {
      const more = at === 0 && userId ? { userId } : {}
      const place = { address: '12 rue des Lilas', postalCode: '69003', city: 'Lyon', email: `v${++count}@exemple.fr` }
      const participant = await makeParticipant(db, { companyId, ...place, ...more })
      const point = await makePoint(db, { companyId })
      const about = { companyId, operationId: operation.id, participantId: participant.id, pointId: point.id }
      return { participant, point, stay: await makeParticipation(db, about) }
    }),
  )
  const input: MonthInput = {
    month,
    resolutionWh: 1,
    sellers: [{ id: seller.id, vat: [{ from: '2020-01-01', to: null, mode: 'standard', rate: 2000 }] }],
    producers: [{ id: plant.id, seller: seller.id }],
    members: people.map(({ participant, point, stay }) => ({
      id: stay.id,
      prm: point.prm,
      buyer: participant.id,
      from: '2025-01-01',
      to: null,
    })),
    cells: people.map(({ stay }, at) => buildMonthCells(stay.id, plant.id, at)),
    distributor: [],
    tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'base', price: 1237 }] }],
    fees: [],
    discounts: [],
    accise: [],
  }
  return { companyId, operation, seller, people, input }
}
type MonthFixtureInput = {
  companyId: number
  month?: string
  members?: number
  prefix?: string
  userId?: string
}
type MonthPerson = {
  participant: Awaited<ReturnType<typeof makeParticipant>>
  point: Awaited<ReturnType<typeof makePoint>>
  stay: Awaited<ReturnType<typeof makeParticipation>>
}
export type MonthFixture = {
  companyId: number
  operation: Awaited<ReturnType<typeof makeOperation>>
  seller: Seller
  people: MonthPerson[]
  input: MonthInput
}

/** Two sunny days: the fourth and the ninth. */
function buildMonthCells(member: string, producer: string, at: number) {
  const wattMinutes = new Array<number>(31).fill(0)
  wattMinutes[3] = 1_234_567 + at * 77_731
  wattMinutes[8] = 2_345_713 + at * 31_337
  return { member, producer, class: 'HPB', wattMinutes }
}

export function computeMonthDocuments(input: MonthInput): readonly BillingDocument[] {
  const outcome = computeMonthOutcome(input)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  return outcome.month.documents
}

const getNextMonthStart = (month: string) =>
  Temporal.PlainYearMonth.from(month).add({ months: 1 }).toPlainDate({ day: 1 })

/** A document of the month as it would be issued. */
export function buildSnapshotDraft(world: MonthFixture, document: BillingDocument, computation = 'c1'): SnapshotDraft {
  const { seller, operation, people, input } = world
  const person = people.find(({ participant }) => participant.id === document.buyer)
  if (!person) throw new Error('no such buyer')
  const { participant, point } = person
  const place = { address: '12 rue des Lilas', postalCode: '69003', city: 'Lyon', country: 'FR' }
  const nobody = { siren: '', siret: '', vatNumber: '', phone: '' }
  const buyer = { kind: 'person' as const, jointHolders: [], serviceCode: '', engagement: '', delivery: 'mail' }
  const statement = document.document === 'statement'
  return {
    seriesKind: statement ? 'statement' : 'invoice',
    dueDays: 15,
    snapshot: {
      format: 1,
      kind: statement ? 'statement' : 'invoice',
      typeCode: statement ? null : 380,
      from: `${input.month}-01`,
      to: getNextMonthStart(input.month).toString(),
      apart: document.apart,
      seller: {
        ...place,
        ...nobody,
        id: seller.id,
        name: seller.name,
        siren: seller.siren,
        email: '',
        legalForm: 'SAS',
        vatMode: 'standard',
        iban: '',
        bic: '',
      },
      buyer: { ...place, ...nobody, id: participant.id, name: participant.name, email: participant.email, ...buyer },
      operation: { id: operation.id, name: operation.name, accNumber: 'ACC00012345', pmoName: 'PMO', pmoSiren: '' },
      mandate: null,
      lines: document.lines.map((line) => ({ ...line, label: 'Énergie locale' })) as SnapshotLine[], // the same fields
      allowances: document.allowances.map((each) => ({ ...each, label: 'Remise' })),
      vat: [...document.vat],
      totals: document.totals,
      points: [
        {
          prm: point.prm,
          label: '3e étage',
          totalWh: 181_003,
          localWh: document.lines.reduce((sum, line) => sum + (line.kind === 'energy' ? line.wh : 0), 0),
          source: 'definitive',
          days: [],
        },
      ],
      corrects: null,
      mentions: [{ name: 'penalties', text: 'Pénalités de retard au taux de la BCE majoré de dix points.' }],
      sources: { computation, runs: [], keys: [], tariffs: [], settings: [] },
    },
  }
}

/** Sorted in the order of the people. */
const sortByPerson = ({ people }: MonthFixture, documents: readonly BillingDocument[]) => {
  const ids = people.map(({ participant }) => participant.id)
  return documents.toSorted((a, b) => ids.indexOf(a.buyer) - ids.indexOf(b.buyer))
}

/**
 * The same database without a job queue, so that no subscriber makes a file or notifies anybody during a test of
 * something else.
 */
export const withoutSubscribers = (db: Db): Db => Object.assign(Object.create(db), { $jobs: {} })

/** Signs documents in tests that do not check signatures. */
export const TEST_SECRETS = createSecrets(randomBytes(32))

/** A closed and issued month; pass `withoutSubscribers(db)` to prevent follow-up jobs. */
export async function issueMonthDocuments(db: Db, world: MonthFixture, secrets: Pick<Secrets, 'stamp'> = TEST_SECRETS) {
  const { companyId, operation, input } = world
  const computation = await makeComputation(db, { companyId, operationId: operation.id }, input)
  const drafts = sortByPerson(world, computeMonthDocuments(input)).map((document) =>
    buildSnapshotDraft(world, document, computation.hash),
  )
  const order = { companyId, operationId: operation.id, computationId: computation.id, issuedBy: 'Camille', drafts }
  return { order, computation, ...(await issueDocuments(db, secrets, order)) }
}

export const PAST_MONTH = '2024-03'
const PAST_MONTH_END = '2024-04-01'
const createLoadFunction = (a: number, b: number) => (at: number, day: string) =>
  (at * a + Number(day.slice(8)) * b) % 1009

/**
 * A past month from that day on, with a definitive run and prices: a roof and two homes, one of which may have joined
 * later.
 */
export async function makePastMonth(server: TestServer, from: string, later = from) {
  const here = await makeOperationFixture(server, {
    from,
    to: PAST_MONTH_END,
    producers: [{ watts: createLoadFunction(37, 113), startsOn: from }],
    consumers: [
      { watts: createLoadFunction(41, 97), startsOn: from },
      { watts: createLoadFunction(29, 89), startsOn: later },
    ],
  })
  const { db } = server
  const { companyId, operation } = here
  await db.update(participants).set(TEST_ADDRESS).where(eq(participants.companyId, companyId))
  await db.update(operations).set({ startsOn: from }).where(eq(operations.id, operation.id))
  await requestKeyAdoption(server, here, { method: 'default', startsOn: from })
  for (const { id } of here.producers)
    await makeSellerOfParticipant(server, companyId, await loadHolderId(db, companyId, id))
  await makeAdoptedTariff(db, here, [{ id: 'base', price: 1237 }], '2024-01-01')
  const run = await runAllocation(server, here, { from, to: PAST_MONTH_END, kind: 'definitive' })
  return { ...here, run, params: { operationId: operation.id, month: PAST_MONTH } }
}

/** Closed and invoiced, with all follow-up jobs. */
export async function billPastMonth(server: TestServer, { params, token }: Awaited<ReturnType<typeof makePastMonth>>) {
  const closed = await call(server, billing.close, { params, body: { reason: 'Relu avec le syndic.' } }, { token })
  if (closed.status !== 200) throw new Error(closed.text)
  const issued = await call(server, billing.issue, { params }, { token })
  if (issued.status !== 200) throw new Error(issued.text)
  await waitForJobs(server)
}
