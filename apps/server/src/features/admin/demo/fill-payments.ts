import { buildDebitFile } from '@voisol/documents/pain-008'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import type { RawBankLine } from '@voisol/file-formats/bank/bank-types'
import { getTargetDayBefore, getTargetDayFrom } from '@voisol/money/working-days'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { storeFile } from '../../../core/stored-files.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, invoices, mandates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { loadEntity, lockMonthsThrough } from '../../accounting/books/index.ts'
import { checkSupplierBill, listSupplierBills } from '../../accounting/supplier-bills/index.ts'
import { loadBuyers, loadSellers, type SellerRow } from '../../billing/parties/index.ts'
import {
  addBankAccount,
  type BankAccountRow,
  decryptAccountIban,
  importStatements,
  loadBankAccount,
  loadBankAccounts,
} from '../../payments/bank/index.ts'
import { insertMandate } from '../../payments/mandates/index.ts'
import { seedLocalProvider } from '../../payments/online/index.ts'
import { type AccountOpenItem, loadOpenItems } from '../../payments/payments/index.ts'
import { buildDemoIban } from './fill-billing.ts'

const MAX_MANDATES = 9
/** Transfers on the bank statement that wait for somebody to match them. */
const WAITING_TRANSFERS = 2
/**
 * Number of accounts whose last invoice is left unpaid for the bank data: one rejected direct debit, and the waiting
 * transfers.
 */
export const INVOICES_LEFT_TO_BANK = 1 + WAITING_TRANSFERS
const OPENING_BALANCE = 431_287
/** The second account is the organiser's: two accounts with the same name could not be told apart in a list. */
const ACCOUNT_NAMES = ['Compte des ventes', 'Compte de gestion']
/** Sample SEPA creditor identifiers of the Banque de France, which belong to nobody. */
const CREDITOR_IDS = ['FR72ZZZ123456', 'FR19ZZZ654321']

type FillContext = { deps: Deps; tx: Db; actor: Actor }
type DebitedParticipant = {
  id: string
  mandateId: string
  rum: string
  name: string
  iban: string
  endToEndId: string
  items: AccountOpenItem[]
  amount: number
}

async function openAccount(
  { deps, tx, actor }: FillContext,
  { id: ownerId, name }: SellerRow,
  at: number,
): Promise<BankAccountRow> {
  const about = {
    name: ACCOUNT_NAMES[at] ?? '',
    bic: 'AGRIFRPP',
    ics: CREDITOR_IDS[at] ?? '',
    painVersion: '08' as const,
  }
  const { id } = await addBankAccount(tx, deps.secrets, actor, { ...about, ownerId, iban: buildDemoIban(name) })
  return loadBankAccount(tx, actor.companyId, id)
}

/** Some debtors of this seller signed a SEPA mandate and pay by direct debit. */
async function signMandates(
  { deps, tx, actor }: FillContext,
  account: BankAccountRow,
  owed: Map<string, AccountOpenItem[]>,
  signedOn: string,
  run: string,
) {
  const { companyId } = actor
  const buyers = await loadBuyers(tx, companyId, [...owed.keys()])
  const signed: DebitedParticipant[] = []
  for (const [at, [participantId, items]] of [...owed].slice(0, MAX_MANDATES).entries()) {
    const name = buyers.get(participantId)?.name ?? ''
    const iban = buildDemoIban(`debtor ${participantId}`)
    const rum = `TILLEULS-${String(at + 1).padStart(4, '0')}`
    const values = {
      creditorId: account.ownerId,
      participantId,
      rum,
      holder: name.slice(0, 70),
      signedOn,
      method: 'import',
    }
    const { id: mandateId } = await insertMandate(tx, deps.secrets, companyId, iban, {
      ...values,
      createdBy: formatActorName(actor),
    })
    const [oldest] = items
    if (oldest) {
      const debited = { id: crypto.randomUUID(), mandateId, rum, name, iban, endToEndId: `${run}-${at + 1}` }
      signed.push({ ...debited, items: [oldest], amount: oldest.open })
    }
  }
  return signed
}

/** Records a past direct debit run as sent. */
async function recordSentRun(
  { deps, tx, actor }: FillContext,
  account: BankAccountRow,
  run: string,
  collectionOn: string,
  all: DebitedParticipant[],
) {
  const { companyId } = actor
  const batchId = `${run}-R`
  const orders = all.map(({ endToEndId, amount, rum, name, iban, items }) => ({
    endToEndId,
    amount,
    rum,
    name,
    iban,
    signedOn: addDays(collectionOn, -200),
    bic: '',
    town: 'Lyon',
    country: 'FR',
    formerIban: null,
    text: items.map(({ number }) => number).join(' '),
  }))
  const { owner, ics, bic } = account
  const creditor = { name: owner, ics, bic, iban: decryptAccountIban(deps.secrets, account) ?? '' }
  const batches = [{ id: batchId, sequence: 'RCUR' as const, collectionOn, debits: orders }]
  const xml = buildDebitFile({
    version: '08',
    id: run,
    createdAt: `${addDays(collectionOn, -2)}T08:00:00Z`,
    creditor,
    batches,
  })
  const content = new TextEncoder().encode(xml)
  const file = await storeFile(tx, deps.files, companyId, {
    name: `prelevement-${collectionOn}.xml`,
    mediaType: 'application/xml',
    content,
  })
  const runId = crypto.randomUUID()
  const submitBy = getTargetDayBefore(collectionOn, 1)
  const state = {
    status: 'sent',
    fileId: file.id,
    filedAt: new Date(),
    sentOn: submitBy,
    createdBy: formatActorName(actor),
  }
  await tx
    .insert(debitRuns)
    .values({ companyId, id: runId, accountId: account.id, collectionOn, submitBy, messageId: run, ...state })
  for (const { id, mandateId, endToEndId, amount, items } of all) {
    await tx
      .insert(debits)
      .values({ companyId, id, runId, mandateId, endToEndId, amount, batchId, status: 'sent', noticedAt: new Date() })
    const links = items.map(({ id: invoiceId, open }) => ({ companyId, debitId: id, invoiceId, amount: open }))
    await tx.insert(debitInvoices).values(links)
  }
  const used = all.map(({ mandateId }) => mandateId)
  await tx
    .update(mandates)
    .set({ firstDebitOn: collectionOn, lastDebitOn: collectionOn })
    .where(and(eq(mandates.companyId, companyId), inArray(mandates.id, used)))
}

const buildLine = (bookedOn: string, amount: number, more: Partial<RawBankLine>): RawBankLine => ({
  bookedOn,
  amount,
  charge: 0,
  part: '',
  reference: '',
  label: '',
  party: '',
  partyIban: '',
  endToEndId: '',
  rum: '',
  batchId: '',
  returnCode: '',
  ...more,
})

type StatementContent = { reference: string; from: string; to: string; opening: number; lines: RawBankLine[] }
const getClosingBalance = ({ opening, lines }: StatementContent) =>
  lines.reduce((sum, { amount }) => sum + amount, opening)

async function importStatementContent(
  { deps, tx, actor }: FillContext,
  account: BankAccountRow,
  statementContent: StatementContent,
) {
  const { reference, to } = statementContent
  const upload = { name: `releve-${to}.txt`, content: new TextEncoder().encode(`Relevé ${reference} du ${to}`) }
  const statement = { ...statementContent, account: '', closing: getClosingBalance(statementContent) }
  const message = { format: 'camt.053' as const, statements: [statement], returns: [] }
  await importStatements(tx, deps, account, message, { upload, by: formatActorName(actor) })
}

/** The bank statement of the direct debits, one line each: all but one were paid. */
function buildDebitStatement(collectionOn: string, all: DebitedParticipant[]): StatementContent {
  const back = all.at(-1)
  const after = getTargetDayFrom(addDays(collectionOn, 2))
  const lines = all.map(({ endToEndId, amount, rum }) =>
    buildLine(collectionOn, amount, { endToEndId, rum, reference: endToEndId, label: 'PRELEVEMENT' }),
  )
  const rejected =
    back &&
    buildLine(after, -back.amount - 350, {
      charge: 350,
      endToEndId: back.endToEndId,
      reference: 'REJ1',
      label: 'REJET DE PRELEVEMENT',
      party: back.name,
      returnCode: 'AM04',
    })
  return {
    reference: '42',
    from: collectionOn,
    to: after,
    opening: OPENING_BALANCE,
    lines: rejected ? [...lines, rejected] : lines,
  }
}

/** The recent bank statement, up to yesterday: its movements wait for a person to match them. */
async function buildRecentStatement(
  { tx, actor }: FillContext,
  before: StatementContent,
  today: string,
  others: AccountOpenItem[],
): Promise<StatementContent> {
  const to = addDays(today, -1)
  const buyers = await loadBuyers(
    tx,
    actor.companyId,
    others.flatMap(({ buyerId }) => buyerId ?? []),
  )
  const waiting = others.slice(0, WAITING_TRANSFERS).map((item, at) =>
    buildLine(to, at === 1 ? Math.ceil(item.open / 2) : item.open, {
      reference: `VIR${at}`,
      label: at === 1 ? `VIREMENT FACTURE ${item.number}` : 'VIREMENT RECU ELECTRICITE',
      party: (buyers.get(item.buyerId ?? '')?.name ?? '').toUpperCase(),
    }),
  )
  const lines = [
    ...waiting,
    buildLine(to, 12_500, { reference: 'VIR9', label: 'VIREMENT SANS REFERENCE', party: 'MME GARNIER' }),
    buildLine(to, -1250, { reference: 'FRAIS', label: 'FRAIS DE TENUE DE COMPTE' }),
  ]
  return { reference: '43', from: addDays(before.to, 1), to, opening: getClosingBalance(before), lines }
}

/** Creates the bank accounts of the seller with the highest receivables and of the organiser. Idempotent. */
export const fillBank = (deps: Deps, actor: Actor, today: string) =>
  transaction(scopeToCompany(deps.db, actor.companyId), async (tx) => {
    const { companyId } = actor
    if ((await loadBankAccounts(tx, companyId)).length) return
    const sellers = await loadSellers(tx, companyId)
    const owing = new Map<SellerRow, AccountOpenItem[]>()
    for (const seller of sellers.filter(({ participantId }) => participantId !== null)) {
      const items = await loadOpenItems(tx, companyId, { sellerId: seller.id })
      owing.set(
        seller,
        items.filter(
          ({ of, side, buyerId, due }) => of === 'invoice' && side === 'debit' && buyerId && due < addDays(today, -5),
        ),
      )
    }
    const [first] = [...owing].sort(([, a], [, b]) => b.length - a.length)
    if (!first?.[1].length) return
    const work = { deps, tx, actor }
    const account = await openAccount(work, first[0], 0)
    const organiser = sellers.find(({ participantId }) => participantId === null)
    // A producer may have the organiser's name, and then shares its account.
    const hasOwnAccount = organiser && organiser.id !== first[0].id && organiser.name !== first[0].name
    if (hasOwnAccount) await openAccount(work, organiser, 1)
    const latest = first[1].reduce((last, { due }) => (due > last ? due : last), '')
    const due = first[1].filter((item) => item.due === latest)
    const collectionOn = getTargetDayFrom(latest)
    const run = `VS${companyId}-${collectionOn.replaceAll('-', '')}-DEMO`
    const owed = Map.groupBy(due, ({ buyerId }) => buyerId ?? '')
    const all = await signMandates(work, account, owed, addDays(collectionOn, -200), run)
    if (!all.length) return
    await recordSentRun(work, account, run, collectionOn, all)
    const debited = new Set(all.flatMap(({ items }) => items.map(({ id }) => id)))
    const debitStatement = buildDebitStatement(collectionOn, all)
    await importStatementContent(work, account, debitStatement)
    const others = due.filter(({ id }) => !debited.has(id))
    if (debitStatement.to < addDays(today, -1))
      await importStatementContent(work, account, await buildRecentStatement(work, debitStatement, today, others))
  })

/** The most recent month whose runs are definitive in every operation. */
const MONTHS_AGO = 3
const DEDUCTED_KWH = 17

type Home = { pointId: string }
/** A consumption point whose holder uses the portal. */
const buildHomeQuery = (companyId: number, day: string) => sql`
  select m.point_id as "pointId" from participations m
    join participants p on p.company_id = m.company_id and p.id = m.participant_id and p.user_id is not null
    join points o on o.company_id = m.company_id and o.id = m.point_id and o.direction = 'consumption'
   where m.company_id = ${companyId} and m.starts_on <= ${day} and (m.ends_on is null or m.ends_on > ${addDays(day, 31)})
   order by m.point_id limit 1`

/** Creates invoices payable on the payment simulator, and a supplier bill with too small a deduction. */
export async function fillOnline(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const sellers = await loadSellers(tx, companyId)
    const owner = sellers.find(({ participantId }) => participantId === null) ?? sellers[0]
    if (!owner) return
    await seedLocalProvider(tx, deps.secrets, companyId, owner)
    if ((await listSupplierBills(tx, actor)).length > 0) return
    const from = addMonths(monthOf(today), -MONTHS_AGO)
    const { rows } = await tx.execute<Home>(buildHomeQuery(companyId, from))
    const [home] = rows
    if (!home) return
    const bill = {
      supplier: 'Fournisseur historique',
      number: 'F-2026-41877',
      deductedKwh: DEDUCTED_KWH,
      billedKwh: null,
    }
    await checkSupplierBill(tx, actor, { ...bill, pointId: home.pointId, from, to: addMonths(from, 1) })
  })
}

/** The last six months stay open, as they would in a real company. */
const OPEN_MONTHS = 6

/** Locks the older months of the books of every seller, as an accountant would have done. Idempotent. */
export async function fillBooks(deps: Deps, actor: Actor, anchor: string): Promise<void> {
  const { companyId } = actor
  const open = addMonths(monthOf(anchor), 1 - OPEN_MONTHS)
  const sold = await deps.db
    .selectDistinct({ id: invoices.sellerId })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), lt(invoices.issuedOn, open)))
  for (const { id } of sold)
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      const entity = await loadEntity(tx, companyId, id)
      await lockMonthsThrough(tx, entity, addMonths(open, -1).slice(0, 7), formatActorName(actor))
    })
}
