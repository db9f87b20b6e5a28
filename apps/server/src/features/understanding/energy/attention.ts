import type { Attention } from '@voisol/contract/energy-rows'
import { can } from '@voisol/contract/permissions'
import { addDays, addMonths, dayOf, daysBetween, monthOf } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { frenchDay, frenchMonth, ofMonth, percent, plural } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { type Seat, selectCrews } from './crews.ts'
import { differences, indexGaps } from './distributor-gaps.ts'
import { keptLastDays } from './kept-last-day.ts'
import { moneyToSee } from './money-to-see.ts'
import { completeness } from './operations.ts'
import { peopleToSee } from './people-to-see.ts'
import type { Period } from './period.ts'
import { byOperation, cut, type Held, heldOver, heldOverEach } from './pieces.ts'
import { receivedUntil } from './received.ts'
import { isClosed } from './summary.ts'
import { type Figures, keptFigures } from './totals.ts'

export type Item = z.infer<typeof Attention>
type Operation = { id: string; name: string }

const LATE_DAYS = 3
/** Above this, what is missing of a month is a detail. */
const NEARLY_ALL = 0.95
/** Runs older than that are no longer anybody's work of the day. */
const STALE_MONTHS = 24
const RANKS = { critical: 0, warning: 1, info: 2 }

export async function attentionOf(db: Db, actor: Actor): Promise<Item[]> {
  const { companyId } = actor
  const day = today()
  const active = await db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), eq(operations.status, 'active')))
    .orderBy(sql`fold(${operations.name})`, operations.id)
  const month = { from: addMonths(monthOf(day), -1), to: monthOf(day) }
  const ids = active.map(({ id }) => id)
  const isActive = new Set(ids)
  const members = (await selectCrews(db, actor, {})).filter(({ operationId }) => isActive.has(operationId))
  const marked = await staleSums(db, companyId, ids)
  const lastDays = await keptLastDays(db, companyId, ids, marked)
  const figures = new Map(
    (await keptFigures(db, companyId, members, month, marked)).map((own) => [own.operationId, own]),
  )
  const lately = { from: addMonths(month.from, -STALE_MONTHS), to: addDays(day, 1) }
  const held = byOperation(await heldOver(db, companyId, ids, month))
  const old = byOperation((await heldOverEach(db, companyId, ids, [lately], 'stale')).flat())
  const crews = byOperation(members)
  const ofOperations = active.flatMap((operation) => {
    const own = crews.get(operation.id) ?? []
    const runs = held.get(operation.id) ?? []
    return [
      ...late(companyId, operation, own, receivedUntil(lastDays.get(operation.id) ?? null), day),
      ...lastMonth(companyId, operation, { members: own, month, runs, figures: figures.get(operation.id) }),
      ...stale(operation, old.get(operation.id) ?? []),
    ]
  })
  const items = [
    ...ofOperations,
    ...(await differences(db, companyId, active)),
    ...(await indexGaps(db, companyId, active)),
    ...(await moneyToSee(db, actor)),
    ...(await peopleToSee(db, actor)),
    ...(can(actor, 'curves.import') ? await refusedImports(db, companyId, active) : []),
  ]
  return items.sort((a, b) => RANKS[a.severity] - RANKS[b.severity])
}

const curvesUrl = (companyId: number, id: string) => `/companies/${companyId}/operations/${id}/load-curves`
const runsUrl = (id: string) => `/acc-operations/${id}/energy-distribution`

function late(companyId: number, { id, name }: Operation, members: Seat[], until: string | null, day: string): Item[] {
  const taking = members.filter(({ startsOn, endsOn }) => startsOn < day && (endsOn === null || endsOn > day))
  const first = taking.reduce((min, { startsOn }) => (startsOn < min ? startsOn : min), day)
  if (!taking.length || daysBetween(first, day) <= LATE_DAYS) return []
  const base = { kind: 'late-data', url: curvesUrl(companyId, id) }
  if (!until)
    return [
      { ...base, severity: 'critical', title: `${name}\u00a0: aucune donnée`, message: 'Aucun relevé n’a été reçu.' },
    ]
  const known = dayOf(Math.floor(Date.parse(until) / 60_000))
  const days = daysBetween(known, day)
  if (days <= LATE_DAYS) return []
  const message = `Les relevés s’arrêtent au ${frenchDay(addDays(known, -1))}, il y a ${plural(days, 'jour', 'jours')}.`
  return [{ ...base, severity: days > 10 ? 'critical' : 'warning', title: `${name}\u00a0: données en retard`, message }]
}

type Month = { members: Seat[]; month: Period; runs: Held[]; figures: Figures | undefined }

/** Either something of it is missing, or it waits to be closed. */
function lastMonth(companyId: number, { id, name }: Operation, { members, month, runs, figures }: Month): Item[] {
  const pieces = cut(members, month, () => 0)
  const received =
    figures && pieces.length ? completeness(pieces, members[0]?.step ?? 15, Object.values(figures.read)) : null
  if (received === null || received === 0) return []
  if (isClosed(members, month, runs)) return []
  const what = frenchMonth(month.from)
  if (received < 1)
    return [
      {
        severity: received < NEARLY_ALL ? 'warning' : 'info',
        kind: 'incomplete-month',
        title: `${name}\u00a0: ${what} incomplet`,
        message: `${percent(received)} des relevés attendus ont été reçus.`,
        url: curvesUrl(companyId, id),
      },
    ]
  return [
    {
      severity: 'info',
      kind: 'ready-to-close',
      title: `${name}\u00a0: ${what} est complet`,
      message: `Tous les relevés ${ofMonth(month.from)} sont là\u00a0: la répartition définitive peut être calculée.`,
      url: runsUrl(id),
    },
  ]
}

function stale({ id, name }: Operation, old: Held[]): Item[] {
  const [first, last] = [old[0], old.at(-1)]
  if (!first || !last) return []
  const definitive = old.some((run) => run.definitive)
  const when = `du ${frenchDay(first.from)} au ${frenchDay(addDays(last.to, -1))}`
  return [
    {
      severity: definitive ? 'warning' : 'info',
      kind: 'stale-run',
      title: `${name}\u00a0: répartition à recalculer`,
      message: `Les relevés, les participants ou la clé ont changé depuis le calcul des journées ${when}.`,
      url: runsUrl(id),
    },
  ]
}

async function refusedImports(db: Db, companyId: number, active: Operation[]): Promise<Item[]> {
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
      title: `${plural(n, 'import refusé', 'imports refusés')} depuis 14 jours`,
      message: `Dernier fichier\u00a0: «\u00a0${name}\u00a0». Ouvrez les courbes de charge pour en voir la raison.`,
      url: only ? curvesUrl(companyId, only.id) : `/companies/${companyId}/operations`,
    },
  ]
}
