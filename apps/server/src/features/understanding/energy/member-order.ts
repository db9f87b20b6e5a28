import type { MemberRow } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import type { z } from 'zod'
import type { Member } from './scope.ts'

type Row = z.infer<typeof MemberRow>
type Named = Pick<Row, 'name' | 'operationName' | 'prm' | 'direction'>
type Figures = Pick<Row, 'total' | 'local' | 'rate' | 'share' | 'valueCents'>
type Value = string | number | null
export type Wanted = Pick<ListQuery, 'q' | 'sort'> & { direction?: Member['direction'] | undefined }

const isPlain = (text: string) => /^[ -~]*$/.test(text)
const fold = (text: string) =>
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()

/** What is known of a member before anything is summed. */
const NAMES = {
  name: ({ name }) => fold(name),
  operationName: ({ operationName }) => fold(operationName),
  prm: ({ prm }) => prm,
  direction: ({ direction }) => direction,
} satisfies Record<string, (row: Named) => Value>

const FIGURES = {
  total: ({ total }) => total,
  local: ({ local }) => local,
  rate: ({ rate }) => rate,
  share: ({ share }) => share,
  valueCents: ({ valueCents }) => valueCents,
} satisfies Record<string, (row: Figures) => Value>

const isName = (name: string): name is keyof typeof NAMES => Object.hasOwn(NAMES, name)
const isFigure = (name: string): name is keyof typeof FIGURES => Object.hasOwn(FIGURES, name)
const sortOf = ({ sort = 'name' }: Wanted) => ({ name: sort.replace(/^-/, ''), down: sort.startsWith('-') ? -1 : 1 })

/** Whether the order is not known before all is summed. */
export const isByFigure = (query: Wanted) => isFigure(sortOf(query).name)

type Tie<T> = (one: T, other: T) => number

/** They are digits: no language orders them otherwise. */
const byPrm = ({ prm }: Pick<Named, 'prm'>, other: Pick<Named, 'prm'>) =>
  prm === other.prm ? 0 : prm < other.prm ? -1 : 1

/** What is not known comes last, whichever the direction. Each value is made once, and not at every comparison. */
function ordered<T extends Pick<Named, 'prm'>>(rows: T[], value: (row: T) => Value, down: number, tie: Tie<T>): T[] {
  const compare = (one: T, other: T, a: Value, b: Value) => {
    if (a === b) return byPrm(one, other) || tie(one, other)
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a < b ? -down : down
  }
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort((one, other) => compare(one.row, other.row, one.value, other.value))
    .map(({ row }) => row)
}

const asGiven = () => 0

export function inNamedOrder<T extends Named>(rows: T[], query: Wanted, tie: Tie<T> = asGiven): T[] {
  const { name, down } = sortOf(query)
  return ordered(rows, isName(name) ? NAMES[name] : NAMES.name, down, tie)
}

export function inFigureOrder<T extends Figures & Pick<Named, 'prm'>>(rows: T[], query: Wanted, tie: Tie<T> = asGiven) {
  const { name, down } = sortOf(query)
  return ordered(rows, isFigure(name) ? FIGURES[name] : FIGURES.local, down, tie)
}

export const inOrder = (rows: Row[], query: Wanted): Row[] =>
  isByFigure(query) ? inFigureOrder(rows, query) : inNamedOrder(rows, query)

export function wanted<T extends Named>(rows: T[], query: Wanted): T[] {
  const words = fold(query.q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  return rows.filter(({ direction, name, prm, operationName }) => {
    if (query.direction && direction !== query.direction) return false
    if (!words.length) return true
    const text = fold(`${name} ${prm} ${operationName}`)
    return words.every((word) => text.includes(word))
  })
}
