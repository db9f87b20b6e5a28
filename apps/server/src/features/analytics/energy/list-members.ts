import type { MemberEnergyItem } from '@voisol/contract/energy-figures'
import { formatDwellingName } from '@voisol/contract/points'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { formatPointDirection } from '../../../core/labels.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Member, readsWholeOperations, requireSelectionExists } from './member-scope.ts'
import {
  addOperationFields,
  assignShares,
  compareByStart,
  computeMemberFigures,
  getMemberKey,
  JOIN_PARTICIPANT_AND_POINT,
  listPeriodParticipations,
  loadOperationFields,
  type PeriodParticipation,
  participatesInPeriod,
  sumByMember,
} from './member-sums.ts'
import {
  addParticipationSums,
  getParticipationSum,
  type ParticipationSum,
  readParticipationRollupsAt,
} from './participation-rollups.ts'
import { listOperationIds, type Period, requirePeriod } from './periods.ts'

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

type MemberListQuery = MemberFilter & Period & { operationId?: string | undefined }
type Direction = 'consumption' | 'production'

/** All participations of an operation in one row, as texts of fixed-length fields. */
type PackedParticipations = {
  operationId: string
  ids: string
  holders: string
  points: string
  days: string
  sides: string
  prms: string
}
/** A holder and point of an operation, identified by their first participation. */
type MemberWithSum = {
  id: string
  startsOn: string
  operationId: string
  prm: string
  direction: Direction
  sum: ParticipationSum
}

const ID_LENGTH = 32
const DAY_LENGTH = 10
const PRM_LENGTH = 14
const concatIdsSql = (column: AnyPgColumn) => sql`encode(string_agg(uuid_send(${column}), ''), 'hex')`

/** One row per operation, since creating ten thousand row objects is slower than all other work. */
async function loadPackedParticipations(db: Db, actor: Actor, query: MemberListQuery): Promise<PackedParticipations[]> {
  const { rows } = await db.execute<PackedParticipations>(sql`
    select ${participations.operationId} as "operationId", ${concatIdsSql(participations.id)} as ids,
           ${concatIdsSql(participations.participantId)} as holders, ${concatIdsSql(participations.pointId)} as points,
           string_agg(${participations.startsOn}::text, '') as days, string_agg(left(${points.direction}, 1), '') as sides,
           string_agg(${points.prm}, '') as prms
      from ${participations}
      join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}
     where ${and(participatesInPeriod(actor, query))} group by ${participations.operationId}`)
  return rows
}

const sliceNth = (text: string, length: number, nth: number) => text.slice(nth * length, (nth + 1) * length)

/**
 * Merges repeated participations of a holder and point. `from` is the position of the operation's first participation
 * in the sums.
 */
function unpackMembers(row: PackedParticipations, sums: Float64Array, from: number): MemberWithSum[] {
  const { operationId } = row
  const membersByKey = new Map<string, MemberWithSum>()
  for (let nth = 0; nth * ID_LENGTH < row.ids.length; nth++) {
    const key = sliceNth(row.holders, ID_LENGTH, nth) + sliceNth(row.points, ID_LENGTH, nth)
    const [id, startsOn, sum] = [
      sliceNth(row.ids, ID_LENGTH, nth),
      sliceNth(row.days, DAY_LENGTH, nth),
      getParticipationSum(sums, from + nth),
    ]
    const known = membersByKey.get(key)
    if (known) {
      if (compareByStart({ id, startsOn }, known) < 0) Object.assign(known, { id, startsOn })
      known.sum = addParticipationSums(known.sum, sum)
    } else {
      const direction = row.sides[nth] === 'p' ? 'production' : 'consumption'
      membersByKey.set(key, { id, startsOn, operationId, prm: sliceNth(row.prms, PRM_LENGTH, nth), direction, sum })
    }
  }
  return [...membersByKey.values()]
}

const toUuid = (key: string) =>
  `${key.slice(0, 8)}-${key.slice(8, 12)}-${key.slice(12, 16)}-${key.slice(16, 20)}-${key.slice(20)}`

/** All members sorted by a figure; names are only loaded for the page shown. */
async function listMembersByFigure(
  db: Db,
  actor: Actor,
  query: MemberListQuery,
): Promise<{ id: string; operationId: string }[]> {
  const packedRows = await loadPackedParticipations(db, actor, query)
  const operations = await loadOperationFields(db, actor.companyId, query.operationId)
  const places = new Map<string, number>()
  const firstPlaces = packedRows.map(({ ids }) => {
    const first = places.size
    for (let at = 0; at < ids.length; at += ID_LENGTH) places.set(ids.slice(at, at + ID_LENGTH), first + at / ID_LENGTH)
    return first
  })
  const ids = packedRows.map(({ operationId }) => operationId)
  const sums = await readParticipationRollupsAt(db, actor.companyId, ids, query, places)
  const membersWithSums = packedRows.flatMap((row, nth) => unpackMembers(row, sums, firstPlaces[nth] ?? 0))
  const rows = membersWithSums.map(({ id, startsOn, operationId, prm, direction, sum }) => {
    const { total, local, rate, valueCents } = computeMemberFigures(sum, operations.get(operationId)?.unitPrice ?? null)
    const share: number | null = null
    return { id, startsOn, operationId, prm, direction, total, local, rate, valueCents, share }
  })
  assignShares(rows)
  const rowsOfDirection = query.direction ? rows.filter(({ direction }) => direction === query.direction) : rows
  return sortMembersByFigure(rowsOfDirection, query, compareByStart).map(({ id, operationId }) => ({
    id: toUuid(id),
    operationId,
  }))
}

const getMemberName = ({ label, participantName }: Pick<PeriodParticipation, 'label' | 'participantName'>) =>
  formatDwellingName(label, participantName)

type NamedParticipationRow = Pick<
  PeriodParticipation,
  'id' | 'operationId' | 'startsOn' | 'participantName' | 'label' | 'prm' | 'direction'
>
type MemberNamesQuery = Period & { operationId?: string | undefined }

/** Each holder and point of an operation with the fields for sorting by name only. */
async function listMembersByName(db: Db, actor: Actor, query: MemberNamesQuery) {
  const { operationId } = query
  const { rows } = await db.execute<NamedParticipationRow>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.startsOn}::text as "startsOn",
           ${participants.name} as "participantName", ${points.label}, ${points.prm}, ${points.direction}
      from ${participations} ${JOIN_PARTICIPANT_AND_POINT} where ${participatesInPeriod(actor, query)}`)
  if (!rows.length) await requireSelectionExists(db, actor, { operationId })
  const namedParticipations = await addOperationFields(db, actor, query, rows)
  const returnedIds = await loadReturnedParticipationIds(db, actor, query)
  return namedParticipations
    .filter(({ id }) => !returnedIds.has(id))
    .map((participation) => Object.assign(participation, { name: getMemberName(participation) }))
}

/**
 * Participations with an earlier one in the period. Since nobody is twice in an operation at once, they start after its
 * first day.
 */
async function loadReturnedParticipationIds(db: Db, actor: Actor, query: MemberNamesQuery): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${participations.id} from ${participations}
     where ${participatesInPeriod(actor, query)} and ${participations.startsOn} > ${query.from} and exists (
       select 1 from participations e
        where e.company_id = ${participations.companyId} and e.point_id = ${participations.pointId}
          and e.participant_id = ${participations.participantId} and e.operation_id = ${participations.operationId}
          and e.starts_on < ${participations.startsOn} and e.ends_on > ${query.from})`)
  return new Set(rows.map(({ id }) => id))
}

type NamedMember = Pick<Row, 'name' | 'operationName' | 'prm' | 'direction'>
type SortableFigures = Pick<Row, 'total' | 'local' | 'rate' | 'share' | 'valueCents'>
type SortValue = string | number | null
type MemberFilter = Pick<ListQuery, 'q' | 'sort'> & { direction?: Member['direction'] | undefined }

const isPlain = (text: string) => /^[ -~]*$/.test(text)
const foldText = (text: string) =>
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()

/** Sort keys known before anything is summed. */
const NAME_SORTS = {
  name: ({ name }) => foldText(name),
  operationName: ({ operationName }) => foldText(operationName),
  prm: ({ prm }) => prm,
  direction: ({ direction }) => direction,
} satisfies Record<string, (row: NamedMember) => SortValue>

const FIGURE_SORTS = {
  total: ({ total }) => total,
  local: ({ local }) => local,
  rate: ({ rate }) => rate,
  share: ({ share }) => share,
  valueCents: ({ valueCents }) => valueCents,
} satisfies Record<string, (row: SortableFigures) => SortValue>

const isNameSort = (name: string): name is keyof typeof NAME_SORTS => Object.hasOwn(NAME_SORTS, name)
const isFigureSort = (name: string): name is keyof typeof FIGURE_SORTS => Object.hasOwn(FIGURE_SORTS, name)
const parseSort = ({ sort = 'name' }: MemberFilter) => ({
  name: sort.replace(/^-/, ''),
  down: sort.startsWith('-') ? -1 : 1,
})

/** Whether sorting needs the sums first. */
const isSortedByFigure = (query: MemberFilter) => isFigureSort(parseSort(query).name)

type TieBreaker<T> = (one: T, other: T) => number

/** PRMs are digits, so no locale is needed. */
const compareByPrm = ({ prm }: Pick<NamedMember, 'prm'>, other: Pick<NamedMember, 'prm'>) =>
  prm === other.prm ? 0 : prm < other.prm ? -1 : 1

/** Unknown values come last in both directions. Each key is computed once and not at every comparison. */
function sortBy<T extends Pick<NamedMember, 'prm'>>(
  rows: T[],
  value: (row: T) => SortValue,
  down: number,
  tie: TieBreaker<T>,
): T[] {
  const compare = (one: T, other: T, a: SortValue, b: SortValue) => {
    if (a === b) return compareByPrm(one, other) || tie(one, other)
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a < b ? -down : down
  }
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort((one, other) => compare(one.row, other.row, one.value, other.value))
    .map(({ row }) => row)
}

const keepGivenOrder = () => 0

function sortMembersByName<T extends NamedMember>(
  rows: T[],
  query: MemberFilter,
  tie: TieBreaker<T> = keepGivenOrder,
): T[] {
  const { name, down } = parseSort(query)
  return sortBy(rows, isNameSort(name) ? NAME_SORTS[name] : NAME_SORTS.name, down, tie)
}

function sortMembersByFigure<T extends SortableFigures & Pick<NamedMember, 'prm'>>(
  rows: T[],
  query: MemberFilter,
  tie: TieBreaker<T> = keepGivenOrder,
) {
  const { name, down } = parseSort(query)
  return sortBy(rows, isFigureSort(name) ? FIGURE_SORTS[name] : FIGURE_SORTS.local, down, tie)
}

const sortMembers = (rows: Row[], query: MemberFilter): Row[] =>
  isSortedByFigure(query) ? sortMembersByFigure(rows, query) : sortMembersByName(rows, query)

function filterMembers<T extends NamedMember>(rows: T[], query: MemberFilter): T[] {
  const words = foldText(query.q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  return rows.filter(({ direction, name, prm, operationName }) => {
    if (query.direction && direction !== query.direction) return false
    if (!words.length) return true
    const text = foldText(`${name} ${prm} ${operationName}`)
    return words.every((word) => text.includes(word))
  })
}
