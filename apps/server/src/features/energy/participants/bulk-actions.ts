import {
  type BulkAction,
  type BulkActionDraft,
  type BulkLine,
  type BulkRun,
  MAX_IMMEDIATE_BULK_ROWS,
  type RunBulkActionInput,
} from '@voisol/contract/bulk'
import { hasPermission } from '@voisol/contract/permissions'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { applyConfirmedChange } from '../../../core/change-confirmation.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { bulkRuns, participations, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday, toParisDay } from '../../../today.ts'
import {
  type RequestedParticipantIds as AskedOf,
  giveConsent,
  loadConsents,
  type RequestedParticipantIds,
  recordConsentEvents,
  recordConsentRequests,
  requestConsent,
} from '../consents/index.ts'
import { updateParticipation } from './change-participations.ts'
import { anyOfArray, PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participationScope } from './participant-scope.ts'
import { lockEnrolments } from './participation-rules.ts'
import { inviteParticipant } from './portal-access.ts'
import {
  computeSelectionHash,
  lockSelectedParticipants,
  resolveSelection,
  type SelectedParticipant,
} from './select-participants.ts'

type BulkActionInput = z.output<typeof RunBulkActionInput>
type BulkRunRow = typeof bulkRuns.$inferSelect
type BulkReport = Pick<BulkRun, 'done' | 'unchanged' | 'refused' | 'lines'>
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
async function performBulkAction(
  work: BulkWorkContext,
  { dryRun, ...run }: Pick<BulkRunRow, 'dryRun' | 'operationId' | 'participantIds' | 'action'>,
) {
  const action = run.action as BulkAction // validated by the contract
  await lockEnrolments(work.tx, work.actor.companyId)
  const perform = () => performOnParticipants(work, run.participantIds, run.operationId ?? undefined, action)
  return buildBulkReport(dryRun ? await performAndRollBack(work.tx, perform) : await perform())
}

/** Besides the right to change participants, consent actions need the right to record consents. */
function requireBulkPermission(actor: Actor, { kind }: BulkAction) {
  if ((kind === 'consent' || kind === 'ask') && !hasPermission(actor, 'consents.write')) throw new AppError('forbidden')
}

const TOO_MANY_FOR_API_KEY_MESSAGE = `Une clé d’API agit sur ${MAX_IMMEDIATE_BULK_ROWS} participants au plus à la fois\u00a0: partagez la demande.`
const SELECTION_CHANGED_MESSAGE =
  'Les participants retenus ne sont plus ceux de la vérification\u00a0: vérifiez à nouveau avant d’appliquer.'

/** The change whose impact is previewed: the same people and action, however they were selected. */
const toBulkChange = (seal: string) => ({ kind: 'many', seal })

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
const toBulkRun = ({ id, status, dryRun, participantIds, seal, report, message }: BulkRunRow) =>
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

type BulkRunRef = { companyId: number; runId: string }

const isThisRun = ({ companyId, runId }: BulkRunRef) => and(eq(bulkRuns.companyId, companyId), eq(bulkRuns.id, runId))

async function markRunEnded(db: Db, job: BulkRunRef, values: Partial<BulkRunRow>) {
  await db
    .update(bulkRuns)
    .set({ finishedAt: new Date(), ...values })
    .where(and(isThisRun(job), eq(bulkRuns.status, 'running')))
}

/** Runs a bulk action and stores its result in one transaction: an interruption leaves all or nothing. */
export async function executeBulkRun(deps: Deps, job: BulkRunRef): Promise<void> {
  const db = scopeToCompany(deps.db, job.companyId)
  try {
    await transaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`bulk run ${job.runId}`}, 0))`)
      const [row] = await tx.select().from(bulkRuns).where(isThisRun(job))
      if (row?.status !== 'running') return
      const requester = { companyId: job.companyId, userId: row.createdBy }
      const actor = await authorizeJob(tx, requester, { permission: 'participants.write' })
      requireBulkPermission(actor, row.action as BulkAction) // validated by the contract
      const perform = (trackedDb: Db) => performBulkAction({ tx: trackedDb, actor, post: deps, ip: '' }, row)
      const confirmContext = { db: tx, secrets: deps.secrets, actor }
      const confirmation = { shown: row.shown ?? undefined }
      const report = row.dryRun
        ? await perform(tx)
        : await applyConfirmedChange(confirmContext, toBulkChange(row.seal), confirmation, perform)
      await markRunEnded(tx, job, { status: 'done', report })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await markRunEnded(db, job, { status: 'failed', message: error.message })
  }
}

type DatesAction = Extract<BulkAction, { kind: 'entry' | 'exit' | 'agreement' }>

/** Current and future participations of these people, within the actor's limit. */
const listOpenParticipations = (tx: Db, actor: Actor, ids: string[], operationId: string | undefined) =>
  tx
    .select({ row: participations, prm: points.prm })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        or(isNull(participations.endsOn), gt(participations.endsOn, getToday())),
        sql`${participations.participantId} = ${anyOfArray(ids, 'uuid')}`,
      ),
    )
    .orderBy(asc(points.prm), asc(participations.startsOn), asc(participations.id))
type OpenParticipation = Awaited<ReturnType<typeof listOpenParticipations>>[number]
type ParticipationDatesValues = Pick<OpenParticipation['row'], 'startsOn' | 'endsOn' | 'noticeOn' | 'agreementSignedOn'>

const pickDates = ({
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
}: ParticipationDatesValues): ParticipationDatesValues => ({
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
})

function applyDatesAction(row: ParticipationDatesValues, action: DatesAction): ParticipationDatesValues {
  const now = pickDates(row)
  if (action.kind === 'agreement') return { ...now, agreementSignedOn: action.signedOn }
  const { noticeOn } = action
  return action.kind === 'entry' ? { ...now, startsOn: action.on, noticeOn } : { ...now, endsOn: action.on, noticeOn }
}

const ACTION_LABELS = { agreement: 'Accord signé', entry: 'Entrée', exit: 'Sortie' }
const describeAction = (action: DatesAction) =>
  `${ACTION_LABELS[action.kind]} le ${formatFrenchDay(action.kind === 'agreement' ? action.signedOn : action.on)}.`

/** The same meter of a holder: a battery has two participations. */
const getMeterKey = ({ operationId, participantId, startsOn }: OpenParticipation['row'], prm: string) =>
  `${operationId} ${participantId} ${prm} ${startsOn}`

/** Uses the update of a single participation, with all its checks. */
async function changeParticipationDates(
  { tx, actor, moved }: BulkWorkContext & { moved: Set<string> },
  { row, prm }: OpenParticipation,
  name: string,
  action: DatesAction,
): Promise<BulkLine> {
  const about = { id: row.id, label: `${name} (${prm})` }
  // Both directions of a battery moved together, so the second is done already.
  if (moved.has(getMeterKey(row, prm))) return { ...about, outcome: 'done', message: describeAction(action) }
  const next = applyDatesAction(row, action)
  if (JSON.stringify(next) === JSON.stringify(pickDates(row)))
    return { ...about, outcome: 'unchanged', message: 'Rien à changer.' }
  const refused = await tryInSavepoint(tx, () =>
    updateParticipation(tx, actor, row.id, { ...next, version: row.version }),
  )
  if (!refused) moved.add(getMeterKey(row, prm))
  return refused
    ? { ...about, outcome: 'refused', message: refused.message }
    : { ...about, outcome: 'done', message: describeAction(action) }
}

/**
 * Changes the dates of every open participation one after the other, so that two cannot take one point on the same
 * days.
 */
async function changeDatesOfParticipants(
  work: BulkWorkContext,
  people: SelectedParticipant[],
  operationId: string | undefined,
  action: DatesAction,
) {
  const ids = people.map(({ row }) => row.id)
  const open = Map.groupBy(
    await listOpenParticipations(work.tx, work.actor, ids, operationId),
    ({ row }) => row.participantId,
  )
  const lines: BulkLine[] = []
  const moved = new Set<string>()
  for (const { row } of people) {
    const own = open.get(row.id) ?? []
    for (const one of own) lines.push(await changeParticipationDates({ ...work, moved }, one, row.name, action))
    if (own.length === 0)
      lines.push({
        id: row.id,
        label: row.name,
        outcome: 'refused',
        message: 'Aucune participation en cours ou à venir.',
      })
  }
  return lines
}

type BulkWorkContext = { tx: Db; actor: Actor; post: Pick<Deps, 'secrets' | 'config'>; ip: string }
/** Collected because their events are recorded last. */
type GivenConsents = Awaited<ReturnType<typeof giveConsent>>['consent'][]
type BulkActionOfKind<K extends BulkAction['kind']> = Extract<BulkAction, { kind: K }>

const toBulkLine = ({ row }: SelectedParticipant, outcome: BulkLine['outcome'], message: string): BulkLine => ({
  id: row.id,
  label: row.name,
  outcome,
  message,
})

const PORTAL_STATE_MESSAGES = {
  active: 'A déjà accès au portail.',
  invited: 'Déjà invité\u00a0: rien n’est renvoyé.',
} as const

/** Skips people who were invited already. */
async function inviteOne({ tx, actor, post }: BulkWorkContext, person: SelectedParticipant): Promise<BulkLine> {
  const stateMessage =
    person.portal === 'active' || person.portal === 'invited' ? PORTAL_STATE_MESSAGES[person.portal] : null
  if (stateMessage) return toBulkLine(person, 'unchanged', stateMessage)
  const refused = await tryInSavepoint(tx, () => inviteParticipant(tx, post, actor, person.row.id))
  return refused
    ? toBulkLine(person, 'refused', refused.message)
    : toBulkLine(person, 'done', `Invitation à ${person.row.email}.`)
}

/** By mail, and in the portal if they have an account. */
async function requestConsentOfOne(
  { tx, actor }: BulkWorkContext,
  person: SelectedParticipant,
  requestedIds: RequestedParticipantIds,
): Promise<BulkLine> {
  if (!person.row.email && person.portal !== 'active')
    return toBulkLine(person, 'refused', 'Aucune adresse e-mail\u00a0: demandez son accord sur papier.')
  const refusalReason = await requestConsent(tx, actor.companyId, person.row.id, requestedIds)
  return refusalReason
    ? toBulkLine(person, 'unchanged', refusalReason)
    : toBulkLine(person, 'done', 'Demande par e-mail.')
}

/** The same paper recorded twice is one consent. */
async function recordConsentOfOne(
  { tx, actor, ip }: BulkWorkContext,
  person: SelectedParticipant,
  { kind: _, ...consentInput }: BulkActionOfKind<'consent'>,
  givenConsents: GivenConsents,
) {
  const [last] = (await loadConsents(tx, actor.companyId, [person.row.id])).filter(
    ({ purpose }) => purpose === consentInput.purpose,
  )
  const isSame =
    last?.state !== 'withdrawn' &&
    last?.textVersion === consentInput.textVersion &&
    last.expiresOn === consentInput.expiresOn &&
    toParisDay(last.givenAt) === consentInput.givenOn
  if (isSame) return toBulkLine(person, 'unchanged', 'Déjà enregistré.')
  const draft = { ...consentInput, method: 'paper' as const }
  const refused = await tryInSavepoint(tx, async () =>
    givenConsents.push((await giveConsent(tx, actor, person.row.id, draft, ip)).consent),
  )
  return refused
    ? toBulkLine(person, 'refused', refused.message)
    : toBulkLine(person, 'done', `Consentement jusqu’au ${formatFrenchDay(consentInput.expiresOn)}.`)
}

const MAX_TAGS_PER_PARTICIPANT = 20
type TagChange = { line: BulkLine; tags: string[] | null }

function computeTagChange(person: SelectedParticipant, { add, remove }: BulkActionOfKind<'tags'>): TagChange {
  const { row } = person
  const tags = [...new Set([...row.tags.filter((one) => !remove.includes(one)), ...add])]
  const isSame = tags.length === row.tags.length && tags.every((one) => row.tags.includes(one))
  if (isSame) return { line: toBulkLine(person, 'unchanged', 'Rien à changer.'), tags: null }
  if (tags.length > MAX_TAGS_PER_PARTICIPANT)
    return {
      line: toBulkLine(person, 'refused', `Au plus ${MAX_TAGS_PER_PARTICIPANT} étiquettes par participant.`),
      tags: null,
    }
  const message = tags.length ? `Étiquettes\u00a0: ${tags.join(', ')}.` : 'Plus d’étiquette.'
  return { line: toBulkLine(person, 'done', message), tags }
}

/** Adds and removes tags in one statement, whatever their number. */
async function changeTags(
  { tx, actor }: BulkWorkContext,
  people: SelectedParticipant[],
  action: BulkActionOfKind<'tags'>,
): Promise<BulkLine[]> {
  const tagChanges = people.map((person) => computeTagChange(person, action))
  const written = tagChanges.flatMap(({ line: { id }, tags }) => (tags ? [{ id, tags }] : []))
  if (written.length)
    await tx.execute(sql`
      update participants p set tags = v.tags, version = p.version + 1
        from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as v(id uuid, tags text[])
       where p.company_id = ${actor.companyId} and p.id = v.id`)
  return tagChanges.map(({ line: bulkLine }) => bulkLine)
}

/** Runs one item of a bulk action in a savepoint: a refused item leaves no trace, and the others continue. */
async function tryInSavepoint(tx: Db, work: () => Promise<unknown>): Promise<AppError | null> {
  await tx.execute(sql`savepoint one_of_many`)
  try {
    await work()
    await tx.execute(sql`release savepoint one_of_many`)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await tx.execute(sql`rollback to savepoint one_of_many`)
    return error
  }
}

/** Runs the work and rolls it back, so that a dry run reports exactly what the real run does. */
async function performAndRollBack<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint dry_run`)
  try {
    return await work()
  } finally {
    await tx.execute(sql`rollback to savepoint dry_run`)
  }
}
