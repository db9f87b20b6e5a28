import type { MemberRow } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import { seatName } from '@voisol/contract/points'
import { worthCents } from '@voisol/money/worth'
import type { z } from 'zod'
import { sideLabel } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { tableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { isWhole } from './crews.ts'
import { keptSeats, readSeats } from './kept-seats.ts'
import { type Period, requirePeriod } from './period.ts'
import { cut } from './pieces.ts'
import { type Member, selectMembers } from './scope.ts'
import { addSums, type SeatSum, seatSum } from './seat-pack.ts'
import { seatOf } from './seats.ts'
import { partsOf, toWh } from './totals.ts'

type Row = z.infer<typeof MemberRow>
type Query = ListQuery & Period & { operationId?: string | undefined; direction?: Member['direction'] | undefined }

export async function memberRows(db: Db, actor: Actor, query: Period & Pick<Query, 'operationId'>): Promise<Row[]> {
  const period = requirePeriod(query)
  const { companyId } = actor
  const all = await selectMembers(db, actor, { operationId: query.operationId })
  const members = all.filter((member) => cut([member], period, () => 0).length)
  const sums = isWhole(actor, {})
    ? await snapshot(db, (view) => keptSeats(view, companyId, members, period))
    : await readSeats(db, companyId, members, period)
  const seats = new Map<string, { member: Member; sum: SeatSum }>()
  for (const [at, member] of members.entries()) {
    const [sum, known] = [seatSum(sums, at), seats.get(seatOf(member))]
    seats.set(seatOf(member), { member, sum: known ? addSums(known.sum, sum) : sum })
  }
  const rows = [...seats.values()].map(({ member, sum }) => rowOf(member, sum.energy, sum))
  const whole = new Map<string, number>()
  const poolOf = (row: Row) => `${row.operationId} ${row.direction}`
  for (const row of rows) whole.set(poolOf(row), (whole.get(poolOf(row)) ?? 0) + row.local)
  return rows.map((row) => ({ ...row, share: ratio(row.local, whole.get(poolOf(row)) ?? 0) }))
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : null)

function rowOf(member: Member, energy: number, given: { total: number; local: number }): Row {
  const { whole, local, rest, pending } = partsOf(energy, given)
  return {
    id: member.pointId,
    participantId: member.participantId,
    name: seatName(member.label, member.participantName),
    operationId: member.operationId,
    operationName: member.operationName,
    prm: member.prm,
    direction: member.direction,
    ...(member.storage && { storage: true }),
    total: toWh(whole),
    local: toWh(local),
    pending: toWh(pending),
    rate: ratio(local, local + rest),
    share: null,
    valueCents: member.unitPrice === null ? null : worthCents([{ wattMinutes: local, price: member.unitPrice }]),
  }
}

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

const SORTS = {
  name: ({ name }) => fold(name),
  operationName: ({ operationName }) => fold(operationName),
  prm: ({ prm }) => prm,
  direction: ({ direction }) => direction,
  total: ({ total }) => total,
  local: ({ local }) => local,
  rate: ({ rate }) => rate,
  share: ({ share }) => share,
  valueCents: ({ valueCents }) => valueCents,
} satisfies Record<string, (row: Row) => string | number | null>

const isSort = (name: string): name is keyof typeof SORTS => Object.hasOwn(SORTS, name)

/** What is not known comes last, whichever the direction. */
function inOrder(rows: Row[], sort = 'name'): Row[] {
  const name = sort.replace(/^-/, '')
  const value: (row: Row) => string | number | null = isSort(name) ? SORTS[name] : SORTS.name
  const down = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a === b ? one.prm.localeCompare(other.prm) : a < b ? -down : down
  })
}

async function chosen(db: Db, actor: Actor, query: Query): Promise<Row[]> {
  const words = fold(query.q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const rows = (await memberRows(db, actor, query)).filter(({ direction, name, prm, operationName }) => {
    if (query.direction && direction !== query.direction) return false
    const text = fold(`${name} ${prm} ${operationName}`)
    return words.every((word) => text.includes(word))
  })
  return inOrder(rows, query.sort)
}

export async function listMembers(db: Db, actor: Actor, query: Query) {
  const rows = await chosen(db, actor, query)
  const { limit, offset } = pageOf(query)
  return { items: rows.slice(offset, offset + limit), total: rows.length }
}

const HEADER = [
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
const rounded = (value: number | null, decimals: number) =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals

export async function membersFile(db: Db, actor: Actor, query: Query & { format: 'csv' | 'xlsx' }) {
  const rows = await chosen(db, actor, query)
  const cells = rows.map((row) => [
    row.name,
    row.prm,
    sideLabel(row),
    row.operationName,
    rounded(row.total / 1000, 3),
    rounded(row.local / 1000, 3),
    rounded(row.rate, 4),
    rounded(row.share, 4),
    rounded(row.valueCents === null ? null : row.valueCents / 100, 2),
  ])
  return tableFile('repartition-par-membre', query.format, HEADER, cells)
}
