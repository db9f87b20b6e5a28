import type { DebitPlan } from '@voisol/contract/debits'
import { collectionOf } from '@voisol/money/collection'
import { isTargetDay, targetDaysBefore } from '@voisol/money/target'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { longDay } from '../../../papers/words.ts'
import { today } from '../../../today.ts'
import { type AccountRow, accountOf, type MandateRow } from '../mandates/mandates.ts'
import { collectedBy } from '../parties/parties.ts'
import { type OpenItem, openItems } from '../payments/payments.ts'
import { settingsOn } from '../settings/settings.ts'
import { type PastDebit, pastOf, standingOf } from './past.ts'

type Plan = z.output<typeof DebitPlan>
type Item = Plan['items'][number]

/** An account without an ICS debits nobody. */
export function requireCreditor(account: AccountRow) {
  if (!account.ics)
    throw new AppError('conflict', {
      message: `Le compte «\u00a0${account.name}\u00a0» n’a pas d’identifiant créancier (ICS)\u00a0: enregistrez-le dans «\u00a0Comptes bancaires\u00a0».`,
    })
}

/** The day asked for, if it is one; without a word, the first on which all that may be debited is due and announced. */
async function daysOf(db: Db, companyId: number, asked: string | undefined, dues: readonly string[]) {
  const day = today()
  const held = await settingsOn(db, companyId, day)
  const [notice, lead] = [held['debit.noticeDays'].value, held['debit.leadDays'].value]
  const collected = (due: string) => collectionOf({ issued: due, term: 0, notified: day, notice, lead }).collection
  const earliest = collected(day)
  const collectionOn = asked ?? dues.map(collected).reduce((last, one) => (one > last ? one : last), earliest)
  if (collectionOn < earliest)
    throw fieldError(
      'collectionOn',
      `L’annonce part ${notice} jours avant le débit\u00a0: le ${longDay(earliest)} est le premier jour possible.`,
    )
  if (!isTargetDay(collectionOn))
    throw fieldError(
      'collectionOn',
      `Les banques sont fermées le ${longDay(collectionOn)}\u00a0: choisissez un jour ouvré.`,
    )
  const retryDays = held['debit.retryDays'].value
  return { collectionOn, earliest, submitBy: targetDaysBefore(collectionOn, lead), retryDays }
}

/** What is open with an account's owner, and with those for whom it collects today. */
export async function debitable(db: Db, { companyId, ownerId }: AccountRow): Promise<OpenItem[]> {
  const all: OpenItem[] = []
  for (const sellerId of await collectedBy(db, companyId, ownerId, today()))
    all.push(...(await openItems(db, companyId, { sellerId })))
  return all
}

async function activeMandates(db: Db, companyId: number, creditorId: string): Promise<Map<string, MandateRow>> {
  const rows = await db
    .select()
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.creditorId, creditorId), eq(mandates.status, 'active')))
  return new Map(rows.map((row) => [row.participantId, row]))
}

async function namesOf(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type Terms = { collectionOn: string; retryDays: number }
/** Whether a document is debited now, or why it is left. */
function verdict(mandate: MandateRow | undefined, due: string, past: PastDebit[], { collectionOn, retryDays }: Terms) {
  if (!mandate) return { left: 'Pas de mandat actif.' }
  if (due > collectionOn) return { left: `Échéance le ${longDay(due)}, après ce prélèvement.` }
  return standingOf(past, { mandateId: mandate.id, collectionOn, retryDays })
}

/** Which open documents would be debited to an account on a day, and why the others are not. */
export async function planRun(
  db: Db,
  companyId: number,
  { accountId, collectionOn: asked }: { accountId: string; collectionOn?: string | undefined },
): Promise<Plan> {
  const account = await accountOf(db, companyId, accountId)
  requireCreditor(account)
  const open = (await debitable(db, account)).filter(
    ({ of, side, buyerId }) => of === 'invoice' && side === 'debit' && buyerId !== null,
  )
  const byParticipant = await activeMandates(db, companyId, account.ownerId)
  const dues = open.filter(({ buyerId }) => byParticipant.has(buyerId ?? '')).map(({ due }) => due)
  const { collectionOn, earliest, submitBy, retryDays } = await daysOf(db, companyId, asked, dues)
  const past = await pastOf(
    db,
    companyId,
    open.map(({ id }) => id),
  )
  const names = await namesOf(db, companyId)
  const items = new Map<string, Item>()
  const left: Plan['left'] = []
  for (const { id, buyerId, number, due, open: cents } of open) {
    const mandate = byParticipant.get(buyerId ?? '')
    const participant = names.get(buyerId ?? '') ?? ''
    const standing = verdict(mandate, due, past.get(id) ?? [], { collectionOn, retryDays })
    if (!mandate || 'left' in standing) {
      const reason = 'left' in standing ? standing.left : ''
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
    item.retry ||= standing.retry
    items.set(mandateId, item)
  }
  const planned = [...items.values()].sort((a, b) => a.participant.localeCompare(b.participant, 'fr'))
  const total = planned.reduce((sum, { amount }) => sum + amount, 0)
  return { collectionOn, submitBy, earliest, total, items: planned, left }
}
