import type { PriceMatrix } from '@voisol/contract/price-matrix'
import { expect, test } from 'vitest'
import { columnsOf, computationsOf, headsOf } from './matrix-model.ts'

const cell = (price: number, computation = '') => ({ price, rule: String(price), label: '', computation, missing: '' })
const matrix = (...cells: ReturnType<typeof cell>[][]): PriceMatrix => ({
  day: '2026-03-15',
  tariffId: null,
  number: null,
  rows: cells.map((_, at) => ({ kind: 'buyer' as const, id: null, name: `B${at}`, buyers: 1 })),
  columns: ['École', 'Ombrière'].flatMap((producer) =>
    (['HPB', 'HCB'] as const).map((name) => ({ producerId: producer, producer, class: name })),
  ),
  cells,
})
const shown = (given: PriceMatrix) => columnsOf(given).map(({ producer, class: name, at }) => [producer, name, at])

test('what is paid alike is one column', () => {
  const flat = [cell(1543), cell(1543), cell(1543), cell(1543)]
  expect(shown(matrix(flat))).toEqual([['', null, 0]])
  expect(shown(matrix([cell(1), cell(1), cell(2), cell(2)]))).toEqual([
    ['École', null, 0],
    ['Ombrière', null, 2],
  ])
  expect(shown(matrix(flat, [cell(1), cell(1), cell(2), cell(3)]))).toEqual([
    ['École', null, 0],
    ['Ombrière', 'HPB', 2],
    ['Ombrière', 'HCB', 3],
  ])
})

test('each computation is told once', () => {
  expect(computationsOf(matrix([cell(1, 'a'), cell(1, 'a'), cell(2, 'b'), cell(3)]))).toEqual(['a', 'b'])
})

test('a producer stands once above its columns, and nowhere where it is alone', () => {
  const columns = columnsOf(matrix([cell(1), cell(2), cell(3), cell(3)]))
  expect(headsOf(columns).map(({ producer, span }) => [producer, span])).toEqual([
    ['École', 2],
    ['Ombrière', 1],
  ])
  expect(headsOf(columns.slice(0, 2))).toEqual([])
})
