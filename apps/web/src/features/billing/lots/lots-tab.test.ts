import { expect, test } from 'vitest'
import { formatLots, parseLots } from './lots-tab.tsx'

test('pasted from a spreadsheet with its head, or typed; what was written reads back the same', () => {
  const { lots, faults } = parseLots('Lot\tNom\tTantièmes\n1\tMme Morel\t1\u202f137\n\n3 bis;;83\n')
  expect(faults).toEqual([])
  expect(lots).toEqual([
    { number: '1', holder: 'Mme Morel', shares: 1137 },
    { number: '3 bis', holder: '', shares: 83 },
  ])
  expect(parseLots(formatLots(lots)).lots).toEqual(lots)
})

test('a line that lacks something is named, and the others are kept', () => {
  const { lots, faults } = parseLots('1; Mme Morel; 137\n2; M. Aït-Kaci\n; X; 12\n4; Y; 1,5')
  expect(lots).toHaveLength(1)
  expect(faults.map((fault) => fault.slice(0, 7))).toEqual(['Ligne 2', 'Ligne 3', 'Ligne 4'])
})
