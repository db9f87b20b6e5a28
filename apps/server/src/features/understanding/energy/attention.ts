import type { AttentionNotice } from '@voisol/contract/energy-rows'
import { hasPermission } from '@voisol/contract/permissions'
import { addDays, addMonths, dayOf, daysBetween, monthOf } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import { listStaleRollups } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { formatCount, formatFrenchDay, formatFrenchMonth, formatMonthWithDe, formatPercent } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { listParticipationGroups, type ParticipationGroup } from './crews.ts'
import { checkDistributorDifferences, checkIndexGaps } from './distributor-gaps.ts'
import { loadLastDaysByOperation } from './kept-last-day.ts'
import { checkBilling } from './money-to-see.ts'
import { computeCompleteness } from './operations.ts'
import { checkParticipants } from './people-to-see.ts'
import type { Period } from './period.ts'
import {
  buildMemberPeriods,
  groupByOperation,
  listRunsInForce,
  listRunsInForceByPeriod,
  type RunInForce,
} from './pieces.ts'
import { computeReceivedUntil } from './received.ts'
import { isPeriodDefinitive } from './summary.ts'
import { loadRollupFigures, type OperationFigures } from './totals.ts'

export type AttentionItem = z.infer<typeof AttentionNotice>
type AttentionOperation = { id: string; name: string }

const MAX_LATE_DAYS = 3
/** Above this completeness, missing readings of a month are minor. */
const MINOR_GAP_COMPLETENESS = 0.95
/** Older outdated runs are no longer daily work. */
const MAX_STALE_RUN_MONTHS = 24
const SEVERITY_RANKS = { critical: 0, warning: 1, info: 2 }

export async function listAttentionItems(db: Db, actor: Actor): Promise<AttentionItem[]> {
  const { companyId } = actor
  const day = getToday()
  const active = await db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), eq(operations.status, 'active')))
    .orderBy(sql`fold(${operations.name})`, operations.id)
  const month = { from: addMonths(monthOf(day), -1), to: monthOf(day) }
  const ids = active.map(({ id }) => id)
  const isActive = new Set(ids)
  const participationGroups = (await listParticipationGroups(db, actor, {})).filter(({ operationId }) =>
    isActive.has(operationId),
  )
  const staleRanges = await listStaleRollups(db, companyId, ids)
  const lastDays = await loadLastDaysByOperation(db, companyId, ids, staleRanges)
  const figures = new Map(
    (await loadRollupFigures(db, companyId, participationGroups, month, staleRanges)).map((own) => [
      own.operationId,
      own,
    ]),
  )
  const staleRunPeriod = { from: addMonths(month.from, -MAX_STALE_RUN_MONTHS), to: addDays(day, 1) }
  const runsOfMonth = groupByOperation(await listRunsInForce(db, companyId, ids, month))
  const staleRuns = groupByOperation(
    (await listRunsInForceByPeriod(db, companyId, ids, [staleRunPeriod], 'stale')).flat(),
  )
  const groupsByOperation = groupByOperation(participationGroups)
  const ofOperations = active.flatMap((operation) => {
    const own = groupsByOperation.get(operation.id) ?? []
    const runs = runsOfMonth.get(operation.id) ?? []
    return [
      ...findLateData(companyId, operation, own, computeReceivedUntil(lastDays.get(operation.id) ?? null), day),
      ...checkLastMonth(companyId, operation, { members: own, month, runs, figures: figures.get(operation.id) }),
      ...checkStaleRuns(operation, staleRuns.get(operation.id) ?? []),
    ]
  })
  const items = [
    ...ofOperations,
    ...(await checkDistributorDifferences(db, companyId, active)),
    ...(await checkIndexGaps(db, companyId, active)),
    ...(await checkBilling(db, actor)),
    ...(await checkParticipants(db, actor)),
    ...(hasPermission(actor, 'curves.import') ? await checkRefusedImports(db, companyId, active) : []),
  ]
  return items.sort((a, b) => SEVERITY_RANKS[a.severity] - SEVERITY_RANKS[b.severity])
}

const buildCurvesUrl = (companyId: number, id: string) => `/companies/${companyId}/operations/${id}/load-curves`
const buildRunsUrl = (id: string) => `/acc-operations/${id}/energy-distribution`

function findLateData(
  companyId: number,
  { id, name }: AttentionOperation,
  members: ParticipationGroup[],
  until: string | null,
  day: string,
): AttentionItem[] {
  const currentGroups = members.filter(({ startsOn, endsOn }) => startsOn < day && (endsOn === null || endsOn > day))
  const first = currentGroups.reduce((min, { startsOn }) => (startsOn < min ? startsOn : min), day)
  if (!currentGroups.length || daysBetween(first, day) <= MAX_LATE_DAYS) return []
  const base = { kind: 'late-data', url: buildCurvesUrl(companyId, id) }
  if (!until)
    return [
      { ...base, severity: 'critical', title: `${name}\u00a0: aucune donnée`, message: 'Aucun relevé n’a été reçu.' },
    ]
  const knownUntilDay = dayOf(Math.floor(Date.parse(until) / 60_000))
  const days = daysBetween(knownUntilDay, day)
  if (days <= MAX_LATE_DAYS) return []
  const message = `Les relevés s’arrêtent au ${formatFrenchDay(addDays(knownUntilDay, -1))}, il y a ${formatCount(days, 'jour', 'jours')}.`
  return [{ ...base, severity: days > 10 ? 'critical' : 'warning', title: `${name}\u00a0: données en retard`, message }]
}

type LastMonth = {
  members: ParticipationGroup[]
  month: Period
  runs: RunInForce[]
  figures: OperationFigures | undefined
}

/** The last month either has missing data, or waits to be closed. */
function checkLastMonth(
  companyId: number,
  { id, name }: AttentionOperation,
  { members, month, runs, figures }: LastMonth,
): AttentionItem[] {
  const memberPeriods = buildMemberPeriods(members, month, () => 0)
  const received =
    figures && memberPeriods.length
      ? computeCompleteness(memberPeriods, members[0]?.step ?? 15, Object.values(figures.read))
      : null
  if (received === null || received === 0) return []
  if (isPeriodDefinitive(members, month, runs)) return []
  const what = formatFrenchMonth(month.from)
  if (received < 1)
    return [
      {
        severity: received < MINOR_GAP_COMPLETENESS ? 'warning' : 'info',
        kind: 'incomplete-month',
        title: `${name}\u00a0: ${what} incomplet`,
        message: `${formatPercent(received)} des relevés attendus ont été reçus.`,
        url: buildCurvesUrl(companyId, id),
      },
    ]
  return [
    {
      severity: 'info',
      kind: 'ready-to-close',
      title: `${name}\u00a0: ${what} est complet`,
      message: `Tous les relevés ${formatMonthWithDe(month.from)} sont là\u00a0: la répartition définitive peut être calculée.`,
      url: buildRunsUrl(id),
    },
  ]
}

function checkStaleRuns({ id, name }: AttentionOperation, staleRuns: RunInForce[]): AttentionItem[] {
  const [first, last] = [staleRuns[0], staleRuns.at(-1)]
  if (!first || !last) return []
  const definitive = staleRuns.some((run) => run.definitive)
  const when = `du ${formatFrenchDay(first.from)} au ${formatFrenchDay(addDays(last.to, -1))}`
  return [
    {
      severity: definitive ? 'warning' : 'info',
      kind: 'stale-run',
      title: `${name}\u00a0: répartition à recalculer`,
      message: `Les relevés, les participants ou la clé ont changé depuis le calcul des journées ${when}.`,
      url: buildRunsUrl(id),
    },
  ]
}

async function checkRefusedImports(db: Db, companyId: number, active: AttentionOperation[]): Promise<AttentionItem[]> {
  const { rows } = await db.execute<{ n: number; name: string }>(sql`
    select count(*)::int as n, (array_agg(name order by created_at desc))[1] as name from curve_imports
     where company_id = ${companyId} and status = 'refused' and created_at > now() - interval '14 days'`)
  const { n = 0, name = '' } = rows[0] ?? {}
  if (!n) return []
  const only = active.length === 1 ? active[0] : undefined
  return [
    {
      severity: 'warning',
      kind: 'refused-import',
      title: `${formatCount(n, 'import refusé', 'imports refusés')} depuis 14 jours`,
      message: `Dernier fichier\u00a0: «\u00a0${name}\u00a0». Ouvrez les courbes de charge pour en voir la raison.`,
      url: only ? buildCurvesUrl(companyId, only.id) : `/companies/${companyId}/operations`,
    },
  ]
}
