import {
  type BulkAction,
  type BulkActionDraft,
  type BulkLine,
  type BulkRun,
  MAX_IMMEDIATE_BULK_ROWS,
  type RunBulkActionInput,
} from '@voisol/contract/bulk'
import { hasPermission } from '@voisol/contract/permissions'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../../core/operation.ts'
import { applyConfirmedChange } from '../../../../core/shown.ts'
import type { Db } from '../../../../db/client.ts'
import { bulkRuns } from '../../../../db/schema/index.ts'
import type { Deps } from '../../../../deps.ts'
import type { Actor } from '../../../../http/actor.ts'
import { AppError, fieldError } from '../../../../http/errors.ts'
import { enqueue } from '../../../../jobs/queue.ts'
import {
  type RequestedParticipantIds as AskedOf,
  recordConsentEvents,
  recordConsentRequests,
} from '../../consents/consents.ts'
import { lockEnrolments } from '../rules.ts'
import { performAndRollBack } from './attempt.ts'
import { computeSelectionHash, lockSelectedParticipants, resolveSelection } from './chosen-people.ts'
import { changeDatesOfParticipants } from './dates-work.ts'
import {
  type BulkWorkContext,
  type GivenConsents,
  inviteOne,
  recordConsentOfOne,
  requestConsentOfOne,
} from './people-work.ts'
import { changeTags } from './tags-work.ts'

type BulkActionInput = z.output<typeof RunBulkActionInput>
type BulkRunRow = typeof bulkRuns.$inferSelect
export type BulkReport = Pick<BulkRun, 'done' | 'unchanged' | 'refused' | 'lines'>
const MAX_REPORT_LINES = 1000

async function performOnParticipants(
  work: BulkWorkContext,
  ids: string[],
  operationId: string | undefined,
  action: BulkAction,
) {
  const people = await lockSelectedParticipants(work.tx, work.actor, ids)
  if (action.kind === 'entry' || action.kind === 'exit' || action.kind === 'agreement')
    return changeDatesOfParticipants(work, people, operationId, action)
  if (action.kind === 'tags') return changeTags(work, people, action)
  const lines: BulkLine[] = []
  const givenConsents: GivenConsents = []
  const requestedIds: AskedOf = []
  for (const person of people) {
    if (action.kind === 'invite') lines.push(await inviteOne(work, person))
    else if (action.kind === 'ask') lines.push(await requestConsentOfOne(work, person, requestedIds))
    else lines.push(await recordConsentOfOne(work, person, action, givenConsents))
  }
  await recordConsentEvents(work.tx, work.actor.companyId, 'given', givenConsents)
  await recordConsentRequests(work.tx, work.actor.companyId, requestedIds)
  return lines
}

function buildBulkReport(lines: BulkLine[]): BulkReport {
  const number = (outcome: BulkLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const sorted = lines.toSorted((a, b) => Number(a.outcome !== 'refused') - Number(b.outcome !== 'refused'))
  const counts = { done: number('done'), unchanged: number('unchanged'), refused: number('refused') }
  return { ...counts, lines: sorted.slice(0, MAX_REPORT_LINES) }
}

/** Runs in the caller's transaction; a dry run is rolled back. */
export async function performBulkAction(
  work: BulkWorkContext,
  { dryRun, ...run }: Pick<BulkRunRow, 'dryRun' | 'operationId' | 'participantIds' | 'action'>,
) {
  const action = run.action as BulkAction // validated by the contract
  await lockEnrolments(work.tx, work.actor.companyId)
  const perform = () => performOnParticipants(work, run.participantIds, run.operationId ?? undefined, action)
  return buildBulkReport(dryRun ? await performAndRollBack(work.tx, perform) : await perform())
}

/** Besides the right to change participants, consent actions need the right to record consents. */
export function requireBulkPermission(actor: Actor, { kind }: BulkAction) {
  if ((kind === 'consent' || kind === 'ask') && !hasPermission(actor, 'consents.write')) throw new AppError('forbidden')
}

const TOO_MANY_FOR_API_KEY_MESSAGE = `Une clé d’API agit sur ${MAX_IMMEDIATE_BULK_ROWS} participants au plus à la fois\u00a0: partagez la demande.`
const SELECTION_CHANGED_MESSAGE =
  'Les participants retenus ne sont plus ceux de la vérification\u00a0: vérifiez à nouveau avant d’appliquer.'

/** The change whose impact is previewed: the same people and action, however they were selected. */
export const toBulkChange = (seal: string) => ({ kind: 'many', seal })

/** The bulk action to simulate, to preview its effect on computed figures. */
export async function buildBulkTrial(
  deps: Deps & { db: Db },
  actor: Actor,
  input: z.output<typeof BulkActionDraft>,
  ip: string,
) {
  const { action, operationId = null } = input
  requireBulkPermission(actor, action)
  if (operationId) await requireVisibleOperation(deps.db, actor, operationId)
  const participantIds = await resolveSelection(deps.db, actor, input)
  const run = { dryRun: false, action, operationId, participantIds }
  const write = (tx: Db) => performBulkAction({ tx, actor, post: deps, ip }, run)
  return { change: toBulkChange(computeSelectionHash(participantIds, input)), write }
}

/** Small selections are done in the request; larger ones by a job that the client polls. */
export async function startBulkAction(
  tx: Db,
  deps: Deps,
  actor: Actor,
  input: BulkActionInput,
  ip: string,
): Promise<BulkRun> {
  const { action, operationId, dryRun } = input
  requireBulkPermission(actor, action)
  if (operationId) await requireVisibleOperation(tx, actor, operationId)
  const participantIds = await resolveSelection(tx, actor, input)
  const seal = computeSelectionHash(participantIds, input)
  if (!dryRun && input.seal !== seal) throw new AppError('stale', { message: SELECTION_CHANGED_MESSAGE })
  const isLong = participantIds.length > MAX_IMMEDIATE_BULK_ROWS
  // A job runs on behalf of a person: an API key has none, and its limit would be lost.
  if (isLong && actor.kind !== 'person') throw fieldError('selection', TOO_MANY_FOR_API_KEY_MESSAGE)
  const run = { dryRun, action, operationId: operationId ?? null, participantIds, shown: input.shown ?? null }
  const perform = (db: Db) => performBulkAction({ tx: db, actor, post: deps, ip }, run)
  const confirmContext = { db: tx, secrets: deps.secrets, actor }
  const make = () => (dryRun ? perform(tx) : applyConfirmedChange(confirmContext, toBulkChange(seal), input, perform))
  const report = isLong ? null : await make()
  const createdBy = actor.kind === 'person' ? actor.userId : null
  const [row] = await tx
    .insert(bulkRuns)
    .values({
      ...run,
      companyId: actor.companyId,
      status: isLong ? 'running' : 'done',
      seal,
      report,
      createdBy,
      ...(!isLong && { finishedAt: new Date() }),
    })
    .returning()
  if (!row) throw new AppError('internal')
  if (isLong) await enqueue(tx, 'participants.many', { companyId: actor.companyId, runId: row.id })
  return toBulkRun(row)
}

const EMPTY_REPORT: BulkReport = { done: 0, unchanged: 0, refused: 0, lines: [] }
/** The stored report has the contract's shape. */
export const toBulkRun = ({ id, status, dryRun, participantIds, seal, report, message }: BulkRunRow) =>
  ({
    id,
    status,
    dryRun,
    total: participantIds.length,
    seal,
    message,
    ...((report as BulkReport | null) ?? EMPTY_REPORT),
  }) as BulkRun

/** An API key has no user: its actions were answered at once. */
const isOwnRun = ({ kind, userId }: Actor) => (kind === 'person' ? eq(bulkRuns.createdBy, userId) : sql`false`)

/** Only one's own runs, so that limited users see nothing else. */
export async function loadBulkRun(db: Db, actor: Actor, id: string): Promise<BulkRun> {
  const [row] = await db
    .select()
    .from(bulkRuns)
    .where(
      and(
        eq(bulkRuns.companyId, actor.companyId),
        eq(bulkRuns.id, id),
        actor.operationIds ? isOwnRun(actor) : undefined,
      ),
    )
  if (!row) throw new AppError('not-found')
  return toBulkRun(row)
}
