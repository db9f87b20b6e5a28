import {
  AT_ONCE,
  type BulkAction,
  type BulkAsked,
  type BulkLine,
  type BulkRun,
  type BulkWork,
} from '@voisol/contract/bulk'
import { can } from '@voisol/contract/permissions'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation } from '../../../../core/operation.ts'
import { confirmed } from '../../../../core/shown.ts'
import type { Db } from '../../../../db/client.ts'
import { bulkRuns } from '../../../../db/schema/index.ts'
import type { Deps } from '../../../../deps.ts'
import type { Actor } from '../../../../http/actor.ts'
import { AppError, fieldError } from '../../../../http/errors.ts'
import { enqueue } from '../../../../jobs/queue.ts'
import { type Asked as AskedOf, tellAsked, tellConsents } from '../../consents/consents.ts'
import { lockEnrolments } from '../rules.ts'
import { takenBack } from './attempt.ts'
import { idsOf, lockPeople, sealOf } from './chosen-people.ts'
import { changeDates } from './dates-work.ts'
import { ask, consent, type Given, invite, type Work } from './people-work.ts'
import { tagAll } from './tags-work.ts'

type Asked = z.output<typeof BulkAsked>
type Row = typeof bulkRuns.$inferSelect
export type Report = Pick<BulkRun, 'done' | 'unchanged' | 'refused' | 'lines'>
const MOST_LINES = 1000

async function linesOf(work: Work, ids: string[], operationId: string | undefined, action: BulkAction) {
  const people = await lockPeople(work.tx, work.actor, ids)
  if (action.kind === 'entry' || action.kind === 'exit' || action.kind === 'agreement')
    return changeDates(work, people, operationId, action)
  if (action.kind === 'tags') return tagAll(work, people, action)
  const lines: BulkLine[] = []
  const given: Given = []
  const asked: AskedOf = []
  for (const person of people) {
    if (action.kind === 'invite') lines.push(await invite(work, person))
    else if (action.kind === 'ask') lines.push(await ask(work, person, asked))
    else lines.push(await consent(work, person, action, given))
  }
  await tellConsents(work.tx, work.actor.companyId, 'given', given)
  await tellAsked(work.tx, work.actor.companyId, asked)
  return lines
}

function reportOf(lines: BulkLine[]): Report {
  const number = (outcome: BulkLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const sorted = lines.toSorted((a, b) => Number(a.outcome !== 'refused') - Number(b.outcome !== 'refused'))
  const counts = { done: number('done'), unchanged: number('unchanged'), refused: number('refused') }
  return { ...counts, lines: sorted.slice(0, MOST_LINES) }
}

/** All of it in the caller's transaction; a dry run is the same, taken back. */
export async function performMany(
  work: Work,
  { dryRun, ...run }: Pick<Row, 'dryRun' | 'operationId' | 'participantIds' | 'action'>,
) {
  const action = run.action as BulkAction // what the contract let in
  await lockEnrolments(work.tx, work.actor.companyId)
  const perform = () => linesOf(work, run.participantIds, run.operationId ?? undefined, action)
  return reportOf(dryRun ? await takenBack(work.tx, perform) : await perform())
}

/** Beyond what changing people takes: a consent is recorded, or asked for, by those who may record one. */
export function requireRight(actor: Actor, { kind }: BulkAction) {
  if ((kind === 'consent' || kind === 'ask') && !can(actor, 'consents.write')) throw new AppError('forbidden')
}

const TOO_MANY_FOR_A_KEY = `Une clé d’API agit sur ${AT_ONCE} participants au plus à la fois\u00a0: partagez la demande.`
const CHANGED =
  'Les participants retenus ne sont plus ceux de la vérification\u00a0: vérifiez à nouveau avant d’appliquer.'

/** Whose effects are seen: the same people and the same wish, however they were chosen. */
export const changeOf = (seal: string) => ({ kind: 'many', seal })

/** The work as it would be made, for whoever looks at what it does to what was computed. */
export async function manyTrial(deps: Deps & { db: Db }, actor: Actor, asked: z.output<typeof BulkWork>, ip: string) {
  const { action, operationId = null } = asked
  requireRight(actor, action)
  if (operationId) await findOperation(deps.db, actor, operationId)
  const participantIds = await idsOf(deps.db, actor, asked)
  const run = { dryRun: false, action, operationId, participantIds }
  const write = (tx: Db) => performMany({ tx, actor, post: deps, ip }, run)
  return { change: changeOf(sealOf(participantIds, asked)), write }
}

/** Up to so many at once, the answer is the result; beyond, it is made by a job and asked for again. */
export async function askMany(tx: Db, deps: Deps, actor: Actor, asked: Asked, ip: string): Promise<BulkRun> {
  const { action, operationId, dryRun } = asked
  requireRight(actor, action)
  if (operationId) await findOperation(tx, actor, operationId)
  const participantIds = await idsOf(tx, actor, asked)
  const seal = sealOf(participantIds, asked)
  if (!dryRun && asked.seal !== seal) throw new AppError('stale', { message: CHANGED })
  const isLong = participantIds.length > AT_ONCE
  // What is made later is made in somebody's name: a key has none, and its limit would be forgotten.
  if (isLong && actor.kind !== 'person') throw fieldError('selection', TOO_MANY_FOR_A_KEY)
  const run = { dryRun, action, operationId: operationId ?? null, participantIds, shown: asked.shown ?? null }
  const perform = (db: Db) => performMany({ tx: db, actor, post: deps, ip }, run)
  const asking = { db: tx, secrets: deps.secrets, actor }
  const make = () => (dryRun ? perform(tx) : confirmed(asking, changeOf(seal), asked, perform))
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
  return toRun(row)
}

const NOTHING: Report = { done: 0, unchanged: 0, refused: 0, lines: [] }
/** The report is what `reportOf` wrote. */
export const toRun = ({ id, status, dryRun, participantIds, seal, report, message }: Row) =>
  ({
    id,
    status,
    dryRun,
    total: participantIds.length,
    seal,
    message,
    ...((report as Report | null) ?? NOTHING),
  }) as BulkRun

/** A key has nobody's name: what it asked was answered at once. */
const ownRun = ({ kind, userId }: Actor) => (kind === 'person' ? eq(bulkRuns.createdBy, userId) : sql`false`)

/** One's own: who is limited to some operations follows what they asked for themselves. */
export async function findRun(db: Db, actor: Actor, id: string): Promise<BulkRun> {
  const [row] = await db
    .select()
    .from(bulkRuns)
    .where(
      and(eq(bulkRuns.companyId, actor.companyId), eq(bulkRuns.id, id), actor.operationIds ? ownRun(actor) : undefined),
    )
  if (!row) throw new AppError('not-found')
  return toRun(row)
}
