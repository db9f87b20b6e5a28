import type { MemberEnergyItem } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import type { z } from 'zod'
import { formatPointDirection } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { listMembersByFigure } from './by-figure.ts'
import { readsWholeOperations } from './crews.ts'
import { assignShares, computeMemberFigures } from './member-figures.ts'
import { getMemberName, listMembersByName } from './member-names.ts'
import { filterMembers, isSortedByFigure, type MemberFilter, sortMembers, sortMembersByName } from './member-order.ts'
import { type Period, requirePeriod } from './period.ts'
import { listOperationIds } from './pieces.ts'
import { compareByStart, listPeriodParticipations, type PeriodParticipation, sumByMember } from './roster.ts'
import type { ParticipationSum } from './seat-pack.ts'
import { getMemberKey } from './seats.ts'

type Row = z.infer<typeof MemberEnergyItem>
type MembersQuery = ListQuery & MemberFilter & Period & { operationId?: string | undefined }

export const loadMemberRows = (
  db: Db,
  actor: Actor,
  query: Period & Pick<MembersQuery, 'operationId'>,
): Promise<Row[]> =>
  readSnapshot(db, async (view) => {
    const period = requirePeriod(query)
    return buildMemberRows(view, actor, await listPeriodParticipations(view, actor, { ...query, ...period }), period)
  })

/** Needs all members of the operations, since a share is relative to them. */
async function buildMemberRows(
  db: Db,
  actor: Actor,
  participations: PeriodParticipation[],
  period: Period,
): Promise<Row[]> {
  const rows = (await sumByMember(db, actor, participations, period)).map(({ seat: participation, sum }) =>
    toMemberRow(participation, sum),
  )
  assignShares(rows)
  return rows
}

const toMemberRow = (member: PeriodParticipation, sum: ParticipationSum): Row => ({
  id: member.pointId,
  participantId: member.participantId,
  name: getMemberName(member),
  operationId: member.operationId,
  operationName: member.operationName,
  prm: member.prm,
  direction: member.direction,
  ...(member.storage && { storage: true }),
  ...computeMemberFigures(sum, member.unitPrice),
  share: null,
})

const loadFilteredRows = async (db: Db, actor: Actor, query: MembersQuery): Promise<Row[]> =>
  sortMembers(filterMembers(await loadMemberRows(db, actor, query), query), query)

export const listMembers = (db: Db, actor: Actor, query: MembersQuery) =>
  readSnapshot(db, (view) =>
    (isSortedByFigure(query) && !readsWholeOperations(actor, {}) ? loadPageOfAllMembers : loadPageOfMembers)(
      view,
      actor,
      query,
    ),
  )

/** For users who see only a few members, all are summed. */
async function loadPageOfAllMembers(db: Db, actor: Actor, query: MembersQuery) {
  const rows = await loadFilteredRows(db, actor, query)
  const { limit, offset } = toLimitOffset(query)
  return { items: rows.slice(offset, offset + limit), total: rows.length }
}

/** The matching members in order, by name or by figure. */
async function findMembersInOrder(db: Db, actor: Actor, query: MembersQuery & Period) {
  if (!isSortedByFigure(query))
    return sortMembersByName(filterMembers(await listMembersByName(db, actor, query), query), query, compareByStart)
  const membersByFigure = await listMembersByFigure(db, actor, query)
  if (!query.q) return membersByFigure
  const namedIds = new Set(filterMembers(await listMembersByName(db, actor, query), query).map(({ id }) => id))
  return membersByFigure.filter(({ id }) => namedIds.has(id))
}

/** Only the members of the page and their operations are loaded in full. */
async function loadPageOfMembers(db: Db, actor: Actor, query: MembersQuery) {
  const period = requirePeriod(query)
  const all = await findMembersInOrder(db, actor, { ...query, ...period })
  const { limit, offset } = toLimitOffset(query)
  const page = all.slice(offset, offset + limit)
  const participations = await listPeriodParticipations(db, actor, {
    ...query,
    ...period,
    operationIds: listOperationIds(page),
  })
  const keysById = new Map(participations.map((own) => [own.id, getMemberKey(own)]))
  const rows = new Map(
    (await buildMemberRows(db, actor, participations, period)).map((row) => [
      getMemberKey({ ...row, pointId: row.id }),
      row,
    ]),
  )
  return { items: page.flatMap(({ id }) => rows.get(keysById.get(id) ?? '') ?? []), total: all.length }
}

const MEMBERS_FILE_HEADER = [
  'Nom',
  'PRM',
  'Sens',
  'Opération',
  'Énergie (kWh)',
  'Énergie locale (kWh)',
  'Taux',
  'Part de l’opération',
  'Valeur (€)',
]
const roundNullable = (value: number | null, decimals: number) =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals

export async function exportMembersFile(db: Db, actor: Actor, query: MembersQuery & { format: 'csv' | 'xlsx' }) {
  const rows = await loadFilteredRows(db, actor, query)
  const cells = rows.map((row) => [
    row.name,
    row.prm,
    formatPointDirection(row),
    row.operationName,
    roundNullable(row.total / 1000, 3),
    roundNullable(row.local / 1000, 3),
    roundNullable(row.rate, 4),
    roundNullable(row.share, 4),
    roundNullable(row.valueCents === null ? null : row.valueCents / 100, 2),
  ])
  return buildTableFile('repartition-par-membre', query.format, MEMBERS_FILE_HEADER, cells)
}
