import { createHash, timingSafeEqual } from 'node:crypto'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { formatCount, formatFrenchMonth, NBSP } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import type { Db, TouchedDays } from '../db/client.ts'
import type { Actor } from '../http/actor.ts'
import { AppError, fieldError } from '../http/errors.ts'
import type { Secrets } from '../secrets.ts'
import { ESTIMATE_WINDOW_DAYS } from './outdated-runs.ts'

/** Sent with a change: the preview token that was shown, or the reason why a program makes it without one. */
export type ChangeConfirmation = { shown?: string | undefined; anyway?: string | undefined }
type PreviewUser = Pick<Actor, 'companyId' | 'userId'>
type ChangeContext = { db: Db; secrets: Secrets; actor: Actor }

const sumOfHashes = (of: ReturnType<typeof sql>) => sql`coalesce(sum(hashtextextended(${of}, 0)), 0)::text`

/**
 * A fingerprint of all input of an operation's figures over some days, and of the current runs. People by their names,
 * since a file creates new ids at each preview.
 */
async function loadInputState(
  db: Db,
  companyId: number,
  operationId: string,
  from: string,
  to: string,
): Promise<unknown> {
  const lo = addDays(from, -ESTIMATE_WINDOW_DAYS)
  const hi = addDays(to, ESTIMATE_WINDOW_DAYS)
  const own = sql`company_id = ${companyId} and operation_id = ${operationId}`
  const { rows } = await db.execute(sql`
    select (select concat_ws(' ', step_minutes, time_calendar) from operations
             where company_id = ${companyId} and id = ${operationId}) as operation,
      (select ${sumOfHashes(sql`concat_ws(' ', p.prm, p.direction, x.name, m.starts_on, m.ends_on)`)}
         from participations m join points p on p.company_id = m.company_id and p.id = m.point_id
         join participants x on x.company_id = m.company_id and x.id = m.participant_id
        where m.company_id = ${companyId} and m.operation_id = ${operationId}
          and m.starts_on < ${hi} and (m.ends_on is null or m.ends_on > ${lo})) as members,
      (select ${sumOfHashes(sql`concat_ws(' ', id, status, method, starts_on, version)`)} from keys where ${own}) as keys,
      (select ${sumOfHashes(sql`concat_ws(' ', point_id, day, version)`)} from curve_days
        where company_id = ${companyId} and superseded_at is null and day >= ${lo} and day < ${hi}
          and point_id in (select point_id from participations where ${own})) as readings,
      (select ${sumOfHashes(sql`concat_ws(' ', day, run_id)`)} from allocation_coverage
        where ${own} and day >= ${from} and day < ${to}) as runs`)
  return rows[0]
}

/** Makes the result independent of the order of the parts of a change. */
const sortKeys = (_: string, value: unknown) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** A token that proves that its holder saw the effects of this change on these months, given the present data. */
export async function createPreviewToken(
  { db, secrets }: Pick<ChangeContext, 'db' | 'secrets'>,
  { companyId, userId }: PreviewUser,
  change: object,
  months: TouchedMonth[],
): Promise<string> {
  const states: unknown[] = []
  for (const [operationId, own] of Map.groupBy(months, (month) => month.operationId)) {
    const [first, last] = [own[0]?.month ?? '', own.at(-1)?.month ?? '']
    states.push([operationId, own.length, await loadInputState(db, companyId, operationId, first, addMonths(last, 1))])
  }
  return secrets.stamp('effects', JSON.stringify([companyId, userId, change, states], sortKeys))
}

const isSameToken = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function createPreviewRequiredError(months: TouchedMonth[], previewIsOutdated: boolean): AppError {
  const names = [...new Set(months.map(({ month }) => month))]
  const [first = '', last = ''] = [names[0], names.at(-1)]
  const when = first === last ? formatFrenchMonth(first) : `de ${formatFrenchMonth(first)} à ${formatFrenchMonth(last)}`
  const what = `Ce changement touche ${formatCount(names.length, 'mois déjà réparti', 'mois déjà répartis')} (${when})`
  const message = previewIsOutdated
    ? `${what}, et des données ont changé depuis que vous en avez vu les effets${NBSP}: regardez-les à nouveau, puis confirmez.`
    : `${what}${NBSP}: regardez d’abord ce qu’il change (POST /api/effects), puis confirmez-le.`
  return new AppError('effects-unseen', { message })
}

/** A person must look at the preview; the reason given by a program is recorded in the audit journal. */
function requireApiKeyToSkipPreview({ kind }: Actor, { anyway }: ChangeConfirmation) {
  if (anyway !== undefined && kind === 'person')
    throw fieldError(
      'anyway',
      'Seul un programme (clé d’API) peut passer outre\u00a0: regardez les effets, puis confirmez.',
    )
}

/** Throws unless the change affects no computed day, or its effects were previewed on the present data. */
export async function requirePreviewed(
  asking: ChangeContext,
  change: object,
  word: ChangeConfirmation,
  touched: TouchedDays[],
): Promise<void> {
  const { db, actor } = asking
  requireApiKeyToSkipPreview(actor, word)
  const months = await listTouchedMonths(db, actor.companyId, touched)
  if (!months.length || word.anyway !== undefined) return
  if (word.shown === undefined) throw createPreviewRequiredError(months, false)
  if (!isSameToken(word.shown, await createPreviewToken(asking, actor, change, months)))
    throw createPreviewRequiredError(months, true)
}

/**
 * Makes a change once its effects were previewed, if it has any on computed days; if refused, everything is rolled
 * back.
 */
export async function applyConfirmedChange<T>(
  asking: ChangeContext,
  change: object,
  word: ChangeConfirmation,
  write: (tx: Db) => Promise<T>,
): Promise<T> {
  const { db, touched } = trackTouchedMonths(asking.db)
  const done = await write(db)
  await requirePreviewed(asking, change, word, touched)
  return done
}

/**
 * The change of a whole file is identified by the hash of its bytes, computed before these are transferred to a thread.
 */
export const describeFileChange = (kind: 'enrol' | 'coefficients', id: string, bytes: Uint8Array) => ({
  kind,
  id,
  file: createHash('sha256').update(bytes).digest('hex'),
})

/** Detail for the audit journal. */
export const toConfirmationDetail = ({ anyway }: ChangeConfirmation) => (anyway === undefined ? {} : { anyway })

/** Separates the change in a body from the confirmation sent with it. */
export function splitConfirmation<B extends ChangeConfirmation>(
  body: B,
): { word: ChangeConfirmation; input: Omit<B, keyof ChangeConfirmation> } {
  const { shown, anyway, ...input } = body
  return { word: { shown, anyway }, input }
}

/** A month of an operation with affected computed days, and its definitive runs in force. */
export type TouchedMonth = { operationId: string; month: string; runIds: string[] }

/** The same transaction, collecting all days that its events affect. */
export function trackTouchedMonths(tx: Db): { db: Db; touched: TouchedDays[] } {
  const touched: TouchedDays[] = []
  return { db: Object.assign(Object.create(tx), { $touched: touched }), touched }
}

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`
/** An estimate reads neighbouring days, so days around it are affected too, as in `markRunsOutdated`. */
const estimateMarginSql = sql`case when r.estimated then ${ESTIMATE_WINDOW_DAYS}::int else 0 end`

/** Runs marked by this transaction itself, started at `now`, were valid before it. */
const queryTouchedMonths = (
  tx: Db,
  companyId: number,
  now: string,
  { operationIds = [], pointIds = [], from, to }: TouchedDays,
) =>
  tx.execute<TouchedMonth>(sql`
    select c.operation_id as "operationId", date_trunc('month', c.day)::date::text as month,
           coalesce(array_agg(distinct r.id) filter (
             where r.kind = 'definitive' and (r.stale_at is null or r.stale_at = ${now}::timestamptz)), '{}') as "runIds"
      from allocation_coverage c
      join allocation_runs r on r.company_id = c.company_id and r.id = c.run_id
     where c.company_id = ${companyId}
       and c.day + ${estimateMarginSql} >= ${from}::date and (${to}::date is null or c.day - ${estimateMarginSql} < ${to}::date)
       and (c.operation_id = any(${uuids(operationIds)}) or exists (
         select 1 from participations p
          where p.company_id = ${companyId} and p.operation_id = c.operation_id
            and p.point_id = any(${uuids(pointIds)})
            and p.starts_on <= c.day + ${estimateMarginSql} and (p.ends_on is null or p.ends_on + ${estimateMarginSql} > c.day)))
     group by 1, 2`)

/** The months in which a change affects a day with a run, in chronological order. */
export async function listTouchedMonths(tx: Db, companyId: number, touched: TouchedDays[]): Promise<TouchedMonth[]> {
  const found = new Map<string, TouchedMonth>()
  // A separate query: in a cluster, the machine of the rows has a clock and a transaction of its own.
  const { rows: clock } = await tx.execute<{ now: string }>(sql`select now()::text as now`)
  const now = clock[0]?.now ?? ''
  for (const one of touched)
    for (const row of (await queryTouchedMonths(tx, companyId, now, one)).rows) {
      const key = `${row.month} ${row.operationId}`
      const runIds = [...new Set([...(found.get(key)?.runIds ?? []), ...row.runIds])].sort()
      found.set(key, { ...row, runIds })
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, month]) => month)
}
