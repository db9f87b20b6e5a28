import { seatName } from '@voisol/contract/points'
import type { PriceMatrix } from '@voisol/contract/price-matrix'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { TIME_CLASSES, type TimeCalendar, type TimeClass } from '@voisol/energy/time-classes'
import { and, asc, eq } from 'drizzle-orm'
import { type Member, membersOf, type Span } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, operations } from '../../../db/schema/index.ts'
import { buyersOf } from '../parties/parties.ts'

/** Who may buy from whom in an operation over some days, and when. */
export type Market = {
  members: Member[]
  /** The group of each buyer, null where it is in none. */
  groupOf: Map<string, string | null>
  groups: Map<string, string>
  classes: TimeClass[]
}

/** The classes that a calendar knows: the peak is one only where it is asked for. */
const classesIn = ({ peak }: TimeCalendar) => TIME_CLASSES.filter((name) => peak || name !== 'P')

export async function marketOf(db: Db, companyId: number, operationId: string, span: Span): Promise<Market> {
  const [operation] = await db
    .select({ calendar: operations.timeCalendar })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const members = (await membersOf(db, companyId, operationId, span)).filter(({ storage }) => !storage)
  const buyers = await buyersOf(db, companyId, [...new Set(members.map(({ holderId }) => holderId))])
  const groups = await db
    .select({ id: buyerGroups.id, name: buyerGroups.name })
    .from(buyerGroups)
    .where(eq(buyerGroups.companyId, companyId))
    .orderBy(asc(buyerGroups.name))
  return {
    members,
    groupOf: new Map([...buyers].map(([id, { groupId }]) => [id, groupId])),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    // Written by the contract's own schema.
    classes: classesIn((operation?.calendar ?? { offPeak: [], peak: true }) as TimeCalendar),
  }
}

const there = (members: Member[], direction: Member['direction'], day: string) =>
  members.filter(
    (member) =>
      member.direction === direction && member.startsOn <= day && (member.endsOn === null || day < member.endsOn),
  )

type Axes = Pick<PriceMatrix, 'rows' | 'columns'>
type Row = Axes['rows'][number]

/** Everybody whom no rule names pays as their group does: one row for them all. */
function rowsOf({ members, groupOf, groups }: Market, rules: readonly TariffRule[], day: string): Row[] {
  const buyers = new Map(there(members, 'consumption', day).map(({ holderId, holder }) => [holderId, holder]))
  const named = new Set(rules.flatMap(({ buyer }) => buyer ?? []))
  const alike = Map.groupBy(
    [...buyers.keys()].filter((id) => !named.has(id)),
    (id) => groupOf.get(id) ?? null,
  )
  const asked = new Set(rules.flatMap(({ group }) => group ?? []))
  const own = [...buyers].filter(([id]) => named.has(id))
  const together = [...groups].filter(([id]) => asked.has(id) || alike.has(id))
  const others = alike.get(null)?.length ?? 0
  const first = own.length + together.length === 0
  return [
    ...(others || first
      ? [
          {
            kind: 'others' as const,
            id: null,
            name: first ? 'Tous les acheteurs' : 'Tous les autres acheteurs',
            buyers: others,
          },
        ]
      : []),
    ...together.map(([id, name]): Row => ({ kind: 'group', id, name, buyers: alike.get(id)?.length ?? 0 })),
    ...own
      .map(([id, name]): Row => ({ kind: 'buyer', id, name, buyers: 1 }))
      .sort((a, b) => a.name.localeCompare(b.name, 'fr')),
  ]
}

export function axesOf(market: Market, rules: readonly TariffRule[], day: string): Axes {
  const producers = new Map(
    there(market.members, 'production', day).map(({ pointId, label, holder }) => [pointId, seatName(label, holder)]),
  )
  return {
    rows: rowsOf(market, rules, day),
    columns: [...producers].flatMap(([producerId, producer]) =>
      market.classes.map((name) => ({ producerId, producer, class: name })),
    ),
  }
}
