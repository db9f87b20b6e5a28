import { CORRECTION_CAUSE_LABELS } from '@voisol/contract/corrections'
import type { AttentionNotice } from '@voisol/contract/energy-figures'
import { hasPermission } from '@voisol/contract/permissions'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { addDays, addMonths, dayOf, daysBetween, monthOf } from '@voisol/energy/calendar'
import {
  formatCount,
  formatFrenchDay,
  formatFrenchMonth,
  formatMonthWithDe,
  formatPercent,
  NBSP,
} from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope, withinOperationLimit } from '../../../core/access-scopes.ts'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { listOpenReviews } from '../../billing/corrections/index.ts'
import { loadStuckDeliveries, type StuckDelivery } from '../../billing/invoices/index.ts'
import { loadRecentVerdicts, type MonthVerdict } from '../../enedis/reconciliation/index.ts'
import { countParticipants } from '../../energy/participants/index.ts'
import { countRemindersToSend } from '../../payments/reminders/index.ts'
import { isPeriodDefinitive } from './energy-summary.ts'
import { loadRollupFigures, type OperationFigures } from './energy-totals.ts'
import { listParticipationGroups, type ParticipationGroup } from './member-scope.ts'
import { computeCompleteness } from './operation-rows.ts'
import {
  buildMemberPeriods,
  groupByOperation,
  listRunsInForce,
  listRunsInForceByPeriod,
  type Period,
  type RunInForce,
} from './periods.ts'
import { computeReceivedUntil, loadLastDaysByOperation } from './received-readings.ts'

type AttentionItem = z.infer<typeof AttentionNotice>
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

type ActiveOperation = { id: string; name: string }

/** The current month has little data yet, so the previous one is checked as well. */
const CHECKED_MONTHS = 2
const INDEX_DAYS = 30
/** Watt-hours: below this, five per cent is the rounding of a meter index. */
const MIN_COMPARED_WH = 100

const formatPointCount = (count: number) => formatCount(count, 'point', 'points')
const describeMonthGap = ({ unexplained, mistaken }: Pick<MonthVerdict, 'unexplained' | 'mistaken'>) =>
  [
    unexplained &&
      `La répartition et les chiffres d’Enedis s’écartent sans cause connue pour ${formatPointCount(unexplained)}.`,
    mistaken &&
      `Enedis donne le chiffre d’un autre membre, d’un autre jour ou sans une classe pour ${formatPointCount(mistaken)}${NBSP}: signalez-le-lui avant de facturer.`,
  ]
    .filter(Boolean)
    .join(' ')

/** Unexplained differences with the distributor's figures, or errors of the distributor. */
async function checkDistributorDifferences(
  db: Db,
  companyId: number,
  active: ActiveOperation[],
): Promise<AttentionItem[]> {
  const ids = active.map(({ id }) => id)
  const months = await loadRecentVerdicts(db, companyId, ids, CHECKED_MONTHS)
  return active.flatMap(({ id, name }) =>
    months
      .filter(({ operationId, verdict }) => operationId === id && verdict === 'different')
      .map(
        ({ month, ...counts }): AttentionItem => ({
          severity: 'warning',
          kind: 'distributor-difference',
          title: `${name}${NBSP}: ${formatFrenchMonth(month)} diffère des chiffres d’Enedis`,
          message: describeMonthGap(counts),
          url: `/acc-operations/${id}?onglet=distributeur`,
        }),
      ),
  )
}

/** Days whose curve differs by five per cent or more from the distributor's meter index. */
async function checkIndexGaps(db: Db, companyId: number, active: ActiveOperation[]): Promise<AttentionItem[]> {
  if (!active.length) return []
  const { rows } = await db.execute<{ id: string; n: number }>(sql`
    select m.operation_id as id, count(distinct m.point_id)::int as n
      from participations m
      join distributor_energies e on e.company_id = m.company_id and e.point_id = m.point_id
       and e.day >= greatest(m.starts_on, ${addDays(getToday(), -INDEX_DAYS)}::date) and e.day < coalesce(m.ends_on, 'infinity')
      join curve_days c on c.company_id = e.company_id and c.point_id = e.point_id and c.day = e.day
       and c.superseded_at is null and c.present = c.expected
     where m.company_id = ${companyId} and m.operation_id = any(${sql.param(active.map(({ id }) => id))}::uuid[])
       and abs(c.energy - e.wh * 60) * 20 >= e.wh * 60 and abs(c.energy - e.wh * 60) > ${MIN_COMPARED_WH * 60}
     group by m.operation_id`)
  const counts = new Map(rows.map(({ id, n }) => [id, n]))
  return active.flatMap(({ id, name }): AttentionItem[] => {
    const n = counts.get(id)
    if (!n) return []
    return [
      {
        severity: 'warning',
        kind: 'index-gap',
        title: `${name}${NBSP}: ${formatCount(n, 'courbe s’écarte', 'courbes s’écartent')} des énergies quotidiennes`,
        message: `Au cours des ${INDEX_DAYS} derniers jours, l’énergie d’une journée s’est écartée de 5${NBSP}% ou plus de celle qu’Enedis annonce.`,
        url: `/companies/${companyId}/operations/${id}/load-curves`,
      },
    ]
  })
}

const checkBilling = async (db: Db, actor: Actor): Promise<AttentionItem[]> => [
  ...(await checkReviewsToDecide(db, actor)),
  ...(await checkStuckDeliveries(db, actor)),
  ...(await checkRemindersToSend(db, actor)),
]

/** Documents that were refused, and those to be deposited by hand. */
async function checkStuckDeliveries(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'invoices.send')) return []
  const stuckItems = await loadStuckDeliveries(db, actor)
  const [failedDeliveries, waiting] = [
    stuckItems.filter(({ state }) => state !== 'waiting'),
    stuckItems.filter(({ state }) => state === 'waiting'),
  ]
  const toItems = (
    found: StuckDelivery[],
    about: Pick<AttentionItem, 'severity' | 'kind' | 'title'>,
    words: (first: StuckDelivery) => string,
  ): AttentionItem[] => {
    const [first] = found
    if (!first) return []
    const others = found.length > 1 ? ` Et ${formatCount(found.length - 1, 'autre document', 'autres documents')}.` : ''
    return [{ ...about, message: `${words(first)}${others}`, url: `/invoice/${first.id}` }]
  }
  return [
    ...toItems(
      failedDeliveries,
      {
        severity: 'warning',
        kind: 'delivery-failed',
        title: `${formatCount(failedDeliveries.length, 'facture n’est pas arrivée', 'factures ne sont pas arrivées')}`,
      },
      ({ number, detail }) => `${number}\u00a0: ${detail}${/[.!?]$/.test(detail) ? '' : '.'}`,
    ),
    ...toItems(
      waiting,
      {
        severity: 'info',
        kind: 'to-deposit',
        title: `${formatCount(waiting.length, 'facture', 'factures')} à déposer sur Chorus Pro`,
      },
      ({ number }) => `${number} attend d’être déposée\u00a0; notez ensuite ce qu’elle devient.`,
    ),
  ]
}

/** Accounts to remind today. */
async function checkRemindersToSend(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'reminders.read')) return []
  const { due, overdue, formal } = await countRemindersToSend(db, actor)
  if (due === 0) return []
  const notices = formal > 0 ? `, dont ${formatCount(formal, 'mise en demeure', 'mises en demeure')} à relire` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-remind',
      title: `${formatCount(due, 'compte', 'comptes')} à relancer`,
      message: `${formatEuros(overdue)} sont en retard${notices}.`,
      url: '/billing?tab=relances',
    },
  ]
}

/** Issued months with changes that wait for a decision. */
async function checkReviewsToDecide(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'billing.read')) return []
  const { items, total } = await listOpenReviews(db, actor)
  const [first] = items
  if (!first) return []
  const more = total - 1
  const others = more > 0 ? ` Et ${formatCount(more, 'autre mois', 'autres mois')}.` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-correct',
      title: `${first.operation}\u00a0: facturation ${formatMonthWithDe(first.month)} à régulariser`,
      message: `${first.causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}.${others}`,
      url: '/billing?tab=regularisations',
    },
  ]
}

const EXPIRING_SOON_DAYS = 60
const REVIEW_URL = '/participants?review=true'

/** Current participants with something that needs a person. */
async function checkParticipants(db: Db, actor: Actor): Promise<AttentionItem[]> {
  const items: AttentionItem[] = []
  const expiring = await countExpiringConsents(db, actor)
  if (expiring)
    items.push({
      severity: 'warning',
      kind: 'expiring-consents',
      title: `${formatCount(expiring, 'consentement expire', 'consentements expirent')} d’ici ${EXPIRING_SOON_DAYS} jours`,
      message: 'Sans renouvellement, les relevés des participants concernés ne pourront plus être collectés.',
      url: REVIEW_URL,
    })
  const total = await countParticipants(db, actor, { page: 1, size: 1, review: true })
  if (total)
    items.push({
      severity: 'info',
      kind: 'participants-to-review',
      title: `${formatCount(total, 'participant', 'participants')} à vérifier`,
      message:
        'Il leur manque une adresse e-mail, un accord de participation ou un consentement, ou celui-ci expire bientôt.',
      url: REVIEW_URL,
    })
  return items
}

/** Only the last decision of each participant on each purpose counts. */
async function countExpiringConsents(db: Db, actor: Actor): Promise<number> {
  const { companyId } = actor
  const within = withinOperationLimit(actor, sql`p.operation_id`)
  const day = getToday()
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n
      from (select distinct on (participant_id, purpose) participant_id, expires_on, withdrawn_at
              from consents where company_id = ${companyId}
             order by participant_id, purpose, created_at desc) c
     where c.withdrawn_at is null and c.expires_on > ${day}::date and c.expires_on <= ${day}::date + ${EXPIRING_SOON_DAYS}::int
       and exists (select 1 from participations p
                    where p.company_id = ${companyId} and p.participant_id = c.participant_id
                      and (p.ends_on is null or p.ends_on > ${day}::date)${within ? sql` and ${within}` : sql``})`)
  return rows[0]?.n ?? 0
}
