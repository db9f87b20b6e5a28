import type { DebitRunDetail } from '@voisol/contract/debits'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { debitRuns, debits, mandates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { accountOf, stopMandates, tellStopped } from '../mandates/mandates.ts'
import { takeNoticeBack } from './notice.ts'
import { tellRun } from './tell.ts'
import { getRun, type RunRow } from './view.ts'

type Status = 'announced' | 'filed' | 'sent' | 'cancelled'
/** Where a run may go from where it is; what is at the bank is no longer ours to change. */
const NEXT: Record<Status, readonly Status[]> = {
  announced: ['filed', 'cancelled'],
  filed: ['sent', 'cancelled'],
  sent: [],
  cancelled: [],
}
const WORDS: Record<Status, string> = {
  announced: 'annoncé',
  filed: 'prêt à envoyer',
  sent: 'à la banque',
  cancelled: 'annulé',
}

export async function lockRun(tx: Db, companyId: number, id: string, version: number): Promise<RunRow> {
  const [row] = await tx
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireVersion(row, { version })
  return row
}

export async function moveRun(tx: Db, run: RunRow, to: Status, more: Partial<RunRow> = {}) {
  // The column holds only these.
  const from = run.status as Status
  if (!NEXT[from].includes(to))
    throw new AppError('invalid-transition', {
      message: `Ce prélèvement est ${WORDS[from]}\u00a0: il ne peut plus être ${WORDS[to]}.`,
    })
  await tx
    .update(debitRuns)
    .set({ ...more, status: to, version: run.version + 1 })
    .where(and(eq(debitRuns.companyId, run.companyId), eq(debitRuns.id, run.id)))
}

const ofRun = ({ companyId, id }: RunRow, status: 'planned') =>
  and(eq(debits.companyId, companyId), eq(debits.runId, id), eq(debits.status, status))

/** The file is at the bank: its mandates were used, and their changes told. */
export async function markSent(tx: Db, { companyId }: Actor, id: string, version: number): Promise<DebitRunDetail> {
  const run = await lockRun(tx, companyId, id, version)
  await moveRun(tx, run, 'sent', { sentOn: today() })
  const sent = await tx.update(debits).set({ status: 'sent' }).where(ofRun(run, 'planned')).returning()
  const used = sent.map(({ mandateId }) => mandateId)
  if (!used.length) return tellRun(tx, companyId, 'debits.sent', await getRun(tx, companyId, id))
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
    await tellStopped(
      tx,
      companyId,
      await stopMandates(tx, companyId, inArray(mandates.id, last), {
        status: 'used',
        reason: 'Dernier prélèvement envoyé.',
      }),
    )
  return tellRun(tx, companyId, 'debits.sent', await getRun(tx, companyId, id))
}

/** Before it is sent: what was announced is taken back, and the documents are free for another day. */
export async function cancelRun(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  { companyId }: Actor,
  id: string,
  version: number,
): Promise<DebitRunDetail> {
  const run = await lockRun(tx, companyId, id, version)
  const { items } = await getRun(tx, companyId, id)
  await moveRun(tx, run, 'cancelled')
  await tx.update(debits).set({ status: 'cancelled' }).where(ofRun(run, 'planned'))
  const account = await accountOf(tx, companyId, run.accountId)
  for (const { id: debitId, noticedAt, state, participantId, rum, ibanEnd, amount } of items)
    if (noticedAt && state === 'planned') {
      const creditor = { name: account.owner, ics: account.ics }
      const { collectionOn } = run
      const noticed = { debitId, participantId, rum, ibanEnd, amount, collectionOn, numbers: [], creditor }
      await takeNoticeBack(tx, deps, companyId, noticed)
    }
  return tellRun(tx, companyId, 'debits.cancelled', await getRun(tx, companyId, id))
}
