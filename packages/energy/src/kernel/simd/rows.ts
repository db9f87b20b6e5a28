import { LONGEST_TILE } from '../lanes.ts'
import { block, type Code, define, doubles, i32, repeat, v128 } from './assembler.ts'
import * as lines from './lines.ts'

/** A row of a tile: a band may begin at its last step. */
export const ROW = (LONGEST_TILE + lines.WIDTH) * Int32Array.BYTES_PER_ELEMENT
/** Rows that are made of lines at once: lines side by side come from memory together. */
export const ROWS = 16
/** An entry of the table of bands: where a band begins in a row, in bytes. */
export const ENTRY = 4

/** For each band of the table, its part of a row and the line of one member, a band after the other. */
const eachBand = (name: string, copy: (row: Code<'i32'>, line: Code<'i32'>) => Code<'none'>) =>
  define(name, ['row', 'table', 'last', 'line', 'size'], ({ row, table, last, line, size }) =>
    repeat(
      block(
        copy(i32.add(row.get, i32.load(table.get)), line.get),
        lines.next(line, size.get),
        lines.next(table, i32.of(ENTRY)),
      ),
      i32.below(table.get, last.get),
    ),
  )

/** Cuts a row into bands, where the lines of all members stand together. */
const spread = eachBand('spread', (row, line) =>
  block(...lines.each((v) => v128.store(line, v128.load(row, v * 16), v * 16))),
)

/** Makes rows of the lines of a few members. */
const gather = eachBand('gather', (row, line) =>
  block(
    ...Array.from({ length: ROWS }, (_, r) =>
      lines.each((v) => v128.store(row, v128.load(line, r * lines.LINE + v * 16), r * ROW + v * 16)),
    ).flat(),
  ),
)

/** Whether one of the integers, in whole lines, is below zero. */
const signs = define(
  'signs',
  ['from', 'end'],
  ({ from, end }, writer) => {
    const own = lines.kept(writer)
    const line = (local: (typeof own)[number], v: number) => local.set(v128.or(local.get, v128.load(from.get, v * 16)))
    const all = own.map(({ get }) => get).reduce((a, b) => v128.or(a, b))
    return block(
      repeat(block(...own.map(line), lines.next(from, i32.of(lines.LINE))), i32.below(from.get, end.get)),
      from.set(v128.any(v128.greater(v128.zero, all))),
    )
  },
  ({ from }) => from.get,
)

/** What the members of a band need together, at each step. */
const total = define('total', ['need', 'end'], ({ need, end }, writer) => {
  const sums = lines.keptPairs(writer)
  const own = writer.local('v128')
  const line = ([low, high]: lines.Pairs[number], v: number) =>
    block(
      own.set(v128.load(need.get, v * 16)),
      low.set(doubles.add(low.get, doubles.signedLower(own.get))),
      high.set(doubles.add(high.get, doubles.signedUpper(own.get))),
    )
  return block(
    repeat(block(...sums.map(line), lines.next(need, i32.of(lines.LINE))), i32.below(need.get, end.get)),
    lines.storePairs(sums, lines.TOTALS),
  )
})

export const rowRoutines = [spread, gather, signs, total]
