import type { DebitRunDetail } from '@voisol/contract/debits'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { debitRuns, debits, mandates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadBankAccount, recordMandatesStopped, stopMandates } from '../mandates/mandates.ts'
import { sendCancellationNotice } from './notice.ts'
import { recordRunEvent } from './tell.ts'
import { type DebitRunRow, loadDebitRun } from './view.ts'

type Status = 'announced' | 'filed' | 'sent' | 'cancelled'
/** Allowed status changes of a run; once sent to the bank it can no longer change here. */
const NEXT_STATUSES: Record<Status, readonly Status[]> = {
  announced: ['filed', 'cancelled'],
  filed: ['sent', 'cancelled'],
  sent: [],
  cancelled: [],
}
const STATUS_LABELS: Record<Status, string> = {
  announced: 'annoncé',
  filed: 'prêt à envoyer',
  sent: 'à la banque',
  cancelled: 'annulé',
}

export async function lockDebitRun(tx: Db, companyId: number, id: string, version: number): Promise<DebitRunRow> {
  const [row] = await tx
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  return row
}

export async function changeRunStatus(tx: Db, run: DebitRunRow, to: Status, more: Partial<DebitRunRow> = {}) {
  // The column only stores these values.
  const from = run.status as Status
  if (!NEXT_STATUSES[from].includes(to))
    throw new AppError('invalid-transition', {
      message: `Ce prélèvement est ${STATUS_LABELS[from]}\u00a0: il ne peut plus être ${STATUS_LABELS[to]}.`,
    })
  await tx
    .update(debitRuns)
    .set({ ...more, status: to, version: run.version + 1 })
    .where(and(eq(debitRuns.companyId, run.companyId), eq(debitRuns.id, run.id)))
}

const debitsOfRunSql = ({ companyId, id }: DebitRunRow, status: 'planned') =>
  and(eq(debits.companyId, companyId), eq(debits.runId, id), eq(debits.status, status))

/** Marks the file as sent to the bank: its mandates are used, and their changes are reported. */
export async function markRunSent(tx: Db, { companyId }: Actor, id: string, version: number): Promise<DebitRunDetail> {
  const run = await lockDebitRun(tx, companyId, id, version)
  await changeRunStatus(tx, run, 'sent', { sentOn: getToday() })
  const sent = await tx.update(debits).set({ status: 'sent' }).where(debitsOfRunSql(run, 'planned')).returning()
  const used = sent.map(({ mandateId }) => mandateId)
  if (!used.length) return recordRunEvent(tx, companyId, 'debits.sent', await loadDebitRun(tx, companyId, id))
  await tx
    .update(mandates)
    .set({
      firstDebitOn: sql`coalesce(${mandates.firstDebitOn}, ${run.collectionOn}::date)`,
      lastDebitOn: run.collectionOn,
      formerIban: null,
      lapseToldOn: null,
      version: sql`${mandates.version} + 1`,
    })
    .where(and(eq(mandates.companyId, companyId), inArray(mandates.id, used)))
  const last = sent.filter(({ sequence }) => sequence === 'OOFF' || sequence === 'FNAL').map((one) => one.mandateId)
  if (last.length)
    await recordMandatesStopped(
      tx,
      companyId,
      await stopMandates(tx, companyId, inArray(mandates.id, last), {
        status: 'used',
        reason: 'Dernier prélèvement envoyé.',
      }),
    )
  return recordRunEvent(tx, companyId, 'debits.sent', await loadDebitRun(tx, companyId, id))
}

/** Cancels an announced run before it is sent, and frees its documents for another day. */
export async function cancelDebitRun(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  { companyId }: Actor,
  id: string,
  version: number,
): Promise<DebitRunDetail> {
  const run = await lockDebitRun(tx, companyId, id, version)
  const { items } = await loadDebitRun(tx, companyId, id)
  await changeRunStatus(tx, run, 'cancelled')
  await tx.update(debits).set({ status: 'cancelled' }).where(debitsOfRunSql(run, 'planned'))
  const account = await loadBankAccount(tx, companyId, run.accountId)
  for (const { id: debitId, noticedAt, state, participantId, rum, ibanEnd, amount } of items)
    if (noticedAt && state === 'planned') {
      const creditor = { name: account.owner, ics: account.ics }
      const { collectionOn } = run
      const notice = { debitId, participantId, rum, ibanEnd, amount, collectionOn, numbers: [], creditor }
      await sendCancellationNotice(tx, deps, companyId, notice)
    }
  return recordRunEvent(tx, companyId, 'debits.cancelled', await loadDebitRun(tx, companyId, id))
}
