import { expect, test } from 'vitest'
import { findHeapFaults, findLoadFaults } from '../bench/load-faults.ts'

const round = { calls: 200, refused: new Map<number, number>(), thrown: new Map<string, number>() }

test('a round with a few conflicts and busy answers is accepted', () => {
  const refused = new Map([
    [409, 9],
    [503, 5],
  ])
  expect(findLoadFaults({ ...round, refused, thrown: new Map([['TimeoutError', 5]]) })).toEqual([])
})

test('a server error, too many unanswered calls or no call at all fails a round', () => {
  expect(findLoadFaults({ ...round, refused: new Map([[500, 1]]) })).toEqual([
    '1 réponses 500\u00a0: une erreur du serveur',
  ])
  expect(findLoadFaults({ ...round, refused: new Map([[502, 1]]) })).toHaveLength(1)
  expect(findLoadFaults({ ...round, thrown: new Map([['TypeError: fetch failed', 11]]) })).toHaveLength(1)
  expect(findLoadFaults({ ...round, refused: new Map([[503, 11]]) })).toHaveLength(1)
  expect(findLoadFaults({ ...round, calls: 0 })).toEqual(['aucun appel'])
})

test('a heap that grew or shrank by more than a tenth fails a round of half an hour, not a shorter one', () => {
  expect(findHeapFaults(30, [100, 180, 109])).toEqual([])
  expect(findHeapFaults(30, [100, 111])).toEqual([
    'le tas a changé de +11\u00a0% en 30 minutes (objectif\u00a0: ± 10\u00a0%)',
  ])
  expect(findHeapFaults(60, [100, 80])).toHaveLength(1)
  expect(findHeapFaults(29, [100, 200])).toEqual([])
})

test('a round without samples of its heap fails', () => expect(findHeapFaults(30, [])).toHaveLength(1))
