import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { formatCount, formatFrenchMonth, NBSP } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { loadRecentVerdicts, type MonthVerdict } from '../../distributor/reconciliation/reconciliation.ts'
import type { AttentionItem } from './attention.ts'

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
export async function checkDistributorDifferences(
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
export async function checkIndexGaps(db: Db, companyId: number, active: ActiveOperation[]): Promise<AttentionItem[]> {
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
