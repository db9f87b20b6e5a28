import type { Point } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { listExplanations } from './why-link.tsx'

// Only what the story is found by.
const point = (id: string, operationId: string | null, participantId: string) =>
  ({
    id,
    operationId,
    participantId,
    operationName: `Opération ${operationId}`,
    participantName: `Titulaire ${participantId}`,
  }) as Point

test('one contract with two meters has one story; two operations have two', () => {
  expect(listExplanations({ points: [point('a', '1', 'x'), point('b', '1', 'x')], where: {} })).toHaveLength(1)
  const both = listExplanations({ points: [point('a', '1', 'x'), point('b', '2', 'x')], where: {} })
  expect(both.map(({ name }) => name)).toEqual(['Opération 1', 'Opération 2'])
})

test('two contracts in one operation are told apart', () => {
  const names = listExplanations({ points: [point('a', '1', 'x'), point('b', '1', 'y')], where: {} }).map(
    ({ name }) => name,
  )
  expect(new Set(names).size).toBe(2)
})

test('of a point that is looked at, its own; of one that takes no part, none', () => {
  const points = [point('a', '1', 'x'), point('b', '2', 'y'), point('c', null, 'z')]
  expect(listExplanations({ points, where: { pointId: 'b' } })).toMatchObject([{ operationId: '2' }])
  expect(listExplanations({ points, where: { pointId: 'c' } })).toEqual([])
})
