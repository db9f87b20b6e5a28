import type { DebitPlan } from '@voisol/contract/debits'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { computeCollection } from '@voisol/money/collection'
import { getTargetDayBefore, isTargetDay } from '@voisol/money/working-days'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSellerIdsOfCreditor } from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { type BankAccountRow, loadBankAccount, type MandateRow } from '../mandates/index.ts'
import { type AccountOpenItem, loadOpenItems } from '../payments/index.ts'
import { getDebitEligibility, loadPastDebits, type PastDebit } from './debit-eligibility.ts'

type Plan = z.output<typeof DebitPlan>
type PlannedItem = Plan['items'][number]

/** Refuses to debit for an account without an ICS (SEPA creditor identifier). */
function requireIcs(account: BankAccountRow) {
  if (!account.ics)
    throw new AppError('conflict', {
      message: `Le compte «\u00a0${account.name}\u00a0» n’a pas d’identifiant créancier (ICS)\u00a0: enregistrez-le dans «\u00a0Comptes bancaires\u00a0».`,
    })
}

/** The requested day if it is allowed; by default the first day on which everything is due and announced. */
async function resolveDebitDays(db: Db, companyId: number, requestedDay: string | undefined, dues: readonly string[]) {
  const day = getToday()
  const settings = await loadSettingsOn(db, companyId, day)
  const [notice, lead] = [settings['debit.noticeDays'].value, settings['debit.leadDays'].value]
  const getCollectionDay = (due: string) =>
    computeCollection({ issued: due, term: 0, notified: day, notice, lead }).collection
  const earliest = getCollectionDay(day)
  const collectionOn =
    requestedDay ?? dues.map(getCollectionDay).reduce((last, one) => (one > last ? one : last), earliest)
  if (collectionOn < earliest)
    throw fieldError(
      'collectionOn',
      `L’annonce part ${notice} jours avant le débit\u00a0: le ${formatLongDay(earliest)} est le premier jour possible.`,
    )
  if (!isTargetDay(collectionOn))
    throw fieldError(
      'collectionOn',
      `Les banques sont fermées le ${formatLongDay(collectionOn)}\u00a0: choisissez un jour ouvré.`,
    )
  const retryDays = settings['debit.retryDays'].value
  return { collectionOn, earliest, submitBy: getTargetDayBefore(collectionOn, lead), retryDays }
}

/** Open items of the account's owner and of the sellers it collects for today. */
export async function loadDebitableItems(db: Db, { companyId, ownerId }: BankAccountRow): Promise<AccountOpenItem[]> {
  const all: AccountOpenItem[] = []
  for (const sellerId of await loadSellerIdsOfCreditor(db, companyId, ownerId, getToday()))
    all.push(...(await loadOpenItems(db, companyId, { sellerId })))
  return all
}

async function loadActiveMandates(db: Db, companyId: number, creditorId: string): Promise<Map<string, MandateRow>> {
  const rows = await db
    .select()
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.creditorId, creditorId), eq(mandates.status, 'active')))
  return new Map(rows.map((row) => [row.participantId, row]))
}

async function loadParticipantNames(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type DebitConditions = { collectionOn: string; retryDays: number }
/** Whether a document is debited now, or why not. */
function checkDocument(
  mandate: MandateRow | undefined,
  due: string,
  past: PastDebit[],
  { collectionOn, retryDays }: DebitConditions,
) {
  if (!mandate) return { left: 'Pas de mandat actif.' }
  if (due > collectionOn) return { left: `Échéance le ${formatLongDay(due)}, après ce prélèvement.` }
  return getDebitEligibility(past, { mandateId: mandate.id, collectionOn, retryDays })
}

/** Plans which open documents would be debited on a day, and why the others are not. */
export async function planDebitRun(
  db: Db,
  companyId: number,
  { accountId, collectionOn: requestedDay }: { accountId: string; collectionOn?: string | undefined },
): Promise<Plan> {
  const account = await loadBankAccount(db, companyId, accountId)
  requireIcs(account)
  const open = (await loadDebitableItems(db, account)).filter(
    ({ of, side, buyerId }) => of === 'invoice' && side === 'debit' && buyerId !== null,
  )
  const byParticipant = await loadActiveMandates(db, companyId, account.ownerId)
  const dues = open.filter(({ buyerId }) => byParticipant.has(buyerId ?? '')).map(({ due }) => due)
  const { collectionOn, earliest, submitBy, retryDays } = await resolveDebitDays(db, companyId, requestedDay, dues)
  const past = await loadPastDebits(
    db,
    companyId,
    open.map(({ id }) => id),
  )
  const names = await loadParticipantNames(db, companyId)
  const items = new Map<string, PlannedItem>()
  const left: Plan['left'] = []
  for (const { id, buyerId, number, due, open: cents } of open) {
    const mandate = byParticipant.get(buyerId ?? '')
    const participant = names.get(buyerId ?? '') ?? ''
    const eligibility = checkDocument(mandate, due, past.get(id) ?? [], { collectionOn, retryDays })
    if (!mandate || 'left' in eligibility) {
      const reason = 'left' in eligibility ? eligibility.left : ''
      left.push({ invoiceId: id, number, participant, open: cents, reason })
      continue
    }
    const { id: mandateId, rum, ibanEnd, participantId } = mandate
    const item = items.get(mandateId) ?? {
      mandateId,
      rum,
      ibanEnd,
      participantId,
      participant,
      amount: 0,
      invoices: [],
      retry: false,
    }
    item.amount += cents
    item.invoices.push({ invoiceId: id, number, amount: cents })
    item.retry ||= eligibility.retry
    items.set(mandateId, item)
  }
  const planned = [...items.values()].sort((a, b) => a.participant.localeCompare(b.participant, 'fr'))
  const total = planned.reduce((sum, { amount }) => sum + amount, 0)
  return { collectionOn, submitBy, earliest, total, items: planned, left }
}
