import type { PriceMatrix } from '@voisol/contract/tariff-terms'
import { expect, test } from 'vitest'
import { buildProducerHeaders, collectComputations, mergeColumns } from './price-matrix.tsx'

const buildCell = (price: number, computation = '') => ({
  price,
  rule: String(price),
  label: '',
  computation,
  missing: '',
})
const buildMatrix = (...cells: ReturnType<typeof buildCell>[][]): PriceMatrix => ({
  day: '2026-03-15',
  tariffId: null,
  number: null,
  rows: cells.map((_, at) => ({ kind: 'buyer' as const, id: null, name: `B${at}`, buyers: 1 })),
  columns: ['École', 'Ombrière'].flatMap((producer) =>
    (['HPB', 'HCB'] as const).map((name) => ({ producerId: producer, producer, class: name })),
  ),
  cells,
})
const toColumnSummary = (given: PriceMatrix) =>
  mergeColumns(given).map(({ producer, class: name, at }) => [producer, name, at])

test('what is paid alike is one column', () => {
  const flat = [buildCell(1543), buildCell(1543), buildCell(1543), buildCell(1543)]
  expect(toColumnSummary(buildMatrix(flat))).toEqual([['', null, 0]])
  expect(toColumnSummary(buildMatrix([buildCell(1), buildCell(1), buildCell(2), buildCell(2)]))).toEqual([
    ['École', null, 0],
    ['Ombrière', null, 2],
  ])
  expect(toColumnSummary(buildMatrix(flat, [buildCell(1), buildCell(1), buildCell(2), buildCell(3)]))).toEqual([
    ['École', null, 0],
    ['Ombrière', 'HPB', 2],
    ['Ombrière', 'HCB', 3],
  ])
})

test('each computation is told once', () => {
  expect(
    collectComputations(buildMatrix([buildCell(1, 'a'), buildCell(1, 'a'), buildCell(2, 'b'), buildCell(3)])),
  ).toEqual(['a', 'b'])
})

test('a producer stands once above its columns, and nowhere where it is alone', () => {
  const columns = mergeColumns(buildMatrix([buildCell(1), buildCell(2), buildCell(3), buildCell(3)]))
  expect(buildProducerHeaders(columns).map(({ producer, span }) => [producer, span])).toEqual([
    ['École', 2],
    ['Ombrière', 1],
  ])
  expect(buildProducerHeaders(columns.slice(0, 2))).toEqual([])
})
