import { MAX_TILE_STEPS } from '../division.ts'
import { buildBlock, buildLoop, defineFunction, doubles, i32, v128, type WasmCode } from './assembler.ts'
import * as lines from './memory-layout.ts'

/** A row of a tile, and a line more, because a band may begin at its last step. */
export const BAND_ROW_BYTES = (MAX_TILE_STEPS + lines.BAND_STEPS) * Int32Array.BYTES_PER_ELEMENT
/** Rows built from lines at once: neighbouring lines are read from memory together. */
export const ROWS_AT_ONCE = 16
/** Size of an entry of the table of bands, which is the offset of a band in a row, in bytes. */
export const BAND_ENTRY_BYTES = 4

/** For each band of the table, its part of a row and the line of one member, one band after the other. */
const defineForEachBand = (name: string, copy: (row: WasmCode<'i32'>, line: WasmCode<'i32'>) => WasmCode<'none'>) =>
  defineFunction(name, ['row', 'table', 'last', 'line', 'size'], ({ row, table, last, line, size }) =>
    buildLoop(
      buildBlock(
        copy(i32.add(row.get, i32.load(table.get)), line.get),
        lines.advancePointer(line, size.get),
        lines.advancePointer(table, i32.of(BAND_ENTRY_BYTES)),
      ),
      i32.below(table.get, last.get),
    ),
  )

/** Cuts a row into bands, where the lines of all members are side by side. */
const spread = defineForEachBand('spread', (row, line) =>
  buildBlock(...lines.buildForEachVector((v) => v128.store(line, v128.load(row, v * 16), v * 16))),
)

/** Builds the rows of a few members from their lines. */
const gather = defineForEachBand('gather', (row, line) =>
  buildBlock(
    ...Array.from({ length: ROWS_AT_ONCE }, (_, r) =>
      lines.buildForEachVector((v) =>
        v128.store(row, v128.load(line, r * lines.LINE_BYTES + v * 16), r * BAND_ROW_BYTES + v * 16),
      ),
    ).flat(),
  ),
)

/** Whether one of the integers, in whole lines, is negative. */
const signs = defineFunction(
  'signs',
  ['from', 'end'],
  ({ from, end }, writer) => {
    const own = lines.createStepRegisters(writer)
    const line = (local: (typeof own)[number], v: number) => local.set(v128.or(local.get, v128.load(from.get, v * 16)))
    const all = own.map(({ get }) => get).reduce((a, b) => v128.or(a, b))
    return buildBlock(
      buildLoop(
        buildBlock(...own.map(line), lines.advancePointer(from, i32.of(lines.LINE_BYTES))),
        i32.below(from.get, end.get),
      ),
      from.set(v128.any(v128.greater(v128.zero, all))),
    )
  },
  ({ from }) => from.get,
)

/** The total need of the members of a band, at each step. */
const total = defineFunction('total', ['need', 'end'], ({ need, end }, writer) => {
  const sums = lines.createRegisterPairs(writer)
  const own = writer.local('v128')
  const line = ([low, high]: lines.RegisterPairs[number], v: number) =>
    buildBlock(
      own.set(v128.load(need.get, v * 16)),
      low.set(doubles.add(low.get, doubles.signedLower(own.get))),
      high.set(doubles.add(high.get, doubles.signedUpper(own.get))),
    )
  return buildBlock(
    buildLoop(
      buildBlock(...sums.map(line), lines.advancePointer(need, i32.of(lines.LINE_BYTES))),
      i32.below(need.get, end.get),
    ),
    lines.storeRegisterPairs(sums, lines.TOTALS_OFFSET),
  )
})

export const rowRoutines = [spread, gather, signs, total]
