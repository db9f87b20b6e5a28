import type { MemberEnergyItem } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import type { z } from 'zod'
import type { Member } from './scope.ts'

type Row = z.infer<typeof MemberEnergyItem>
type NamedMember = Pick<Row, 'name' | 'operationName' | 'prm' | 'direction'>
type SortableFigures = Pick<Row, 'total' | 'local' | 'rate' | 'share' | 'valueCents'>
type SortValue = string | number | null
export type MemberFilter = Pick<ListQuery, 'q' | 'sort'> & { direction?: Member['direction'] | undefined }

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
export const isSortedByFigure = (query: MemberFilter) => isFigureSort(parseSort(query).name)

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

export function sortMembersByName<T extends NamedMember>(
  rows: T[],
  query: MemberFilter,
  tie: TieBreaker<T> = keepGivenOrder,
): T[] {
  const { name, down } = parseSort(query)
  return sortBy(rows, isNameSort(name) ? NAME_SORTS[name] : NAME_SORTS.name, down, tie)
}

export function sortMembersByFigure<T extends SortableFigures & Pick<NamedMember, 'prm'>>(
  rows: T[],
  query: MemberFilter,
  tie: TieBreaker<T> = keepGivenOrder,
) {
  const { name, down } = parseSort(query)
  return sortBy(rows, isFigureSort(name) ? FIGURE_SORTS[name] : FIGURE_SORTS.local, down, tie)
}

export const sortMembers = (rows: Row[], query: MemberFilter): Row[] =>
  isSortedByFigure(query) ? sortMembersByFigure(rows, query) : sortMembersByName(rows, query)

export function filterMembers<T extends NamedMember>(rows: T[], query: MemberFilter): T[] {
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
