import { formatDwellingName } from '@voisol/contract/points'
import type { PriceMatrix } from '@voisol/contract/price-matrix'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { TIME_CLASSES, type TimeCalendar, type TimeClass } from '@voisol/energy/time-classes'
import { and, asc, eq } from 'drizzle-orm'
import { listOperationMembers, type OpenPeriod, type OperationMember } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, operations } from '../../../db/schema/index.ts'
import { loadBuyers } from '../parties/parties.ts'

/** Who may buy from whom in an operation over a period. */
export type Market = {
  members: OperationMember[]
  /** The group of each buyer; null without one. */
  groupOf: Map<string, string | null>
  groups: Map<string, string>
  classes: TimeClass[]
}

/** The time classes of a calendar: the peak class only if it is enabled. */
const listTimeClasses = ({ peak }: TimeCalendar) => TIME_CLASSES.filter((name) => peak || name !== 'P')

export async function loadMarket(db: Db, companyId: number, operationId: string, range: OpenPeriod): Promise<Market> {
  const [operation] = await db
    .select({ calendar: operations.timeCalendar })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const members = (await listOperationMembers(db, companyId, operationId, range)).filter(({ storage }) => !storage)
  const buyers = await loadBuyers(db, companyId, [...new Set(members.map(({ holderId }) => holderId))])
  const groups = await db
    .select({ id: buyerGroups.id, name: buyerGroups.name })
    .from(buyerGroups)
    .where(eq(buyerGroups.companyId, companyId))
    .orderBy(asc(buyerGroups.name))
  return {
    members,
    groupOf: new Map([...buyers].map(([id, { groupId }]) => [id, groupId])),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    // Written by the contract's schema.
    classes: listTimeClasses((operation?.calendar ?? { offPeak: [], peak: true }) as TimeCalendar),
  }
}

const listMembersOn = (members: OperationMember[], direction: OperationMember['direction'], day: string) =>
  members.filter(
    (member) =>
      member.direction === direction && member.startsOn <= day && (member.endsOn === null || day < member.endsOn),
  )

type Axes = Pick<PriceMatrix, 'rows' | 'columns'>
type MatrixRow = Axes['rows'][number]

/** Buyers that no rule names pay as their group does, and share one row. */
function buildMatrixRows({ members, groupOf, groups }: Market, rules: readonly TariffRule[], day: string): MatrixRow[] {
  const buyers = new Map(listMembersOn(members, 'consumption', day).map(({ holderId, holder }) => [holderId, holder]))
  const namedBuyerIds = new Set(rules.flatMap(({ buyer }) => buyer ?? []))
  const unnamedByGroup = Map.groupBy(
    [...buyers.keys()].filter((id) => !namedBuyerIds.has(id)),
    (id) => groupOf.get(id) ?? null,
  )
  const namedGroupIds = new Set(rules.flatMap(({ group }) => group ?? []))
  const own = [...buyers].filter(([id]) => namedBuyerIds.has(id))
  const groupRows = [...groups].filter(([id]) => namedGroupIds.has(id) || unnamedByGroup.has(id))
  const others = unnamedByGroup.get(null)?.length ?? 0
  const first = own.length + groupRows.length === 0
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
    ...groupRows.map(
      ([id, name]): MatrixRow => ({ kind: 'group', id, name, buyers: unnamedByGroup.get(id)?.length ?? 0 }),
    ),
    ...own
      .map(([id, name]): MatrixRow => ({ kind: 'buyer', id, name, buyers: 1 }))
      .sort((a, b) => a.name.localeCompare(b.name, 'fr')),
  ]
}

export function buildMatrixAxes(market: Market, rules: readonly TariffRule[], day: string): Axes {
  const producers = new Map(
    listMembersOn(market.members, 'production', day).map(({ pointId, label, holder }) => [
      pointId,
      formatDwellingName(label, holder),
    ]),
  )
  return {
    rows: buildMatrixRows(market, rules, day),
    columns: [...producers].flatMap(([producerId, producer]) =>
      market.classes.map((name) => ({ producerId, producer, class: name })),
    ),
  }
}
