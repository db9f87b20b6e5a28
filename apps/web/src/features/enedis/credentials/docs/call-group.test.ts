import type { EnedisFault } from '@voisol/contract/enedis'
import { expect, test } from 'vitest'
import { findFaults, groupCallsByInterface } from './call-group.tsx'

const fault = (code: string, nature: EnedisFault['nature'], explanation: string): EnedisFault => ({
  code,
  nature,
  explanation,
  status: 403,
  message: '',
  remedy: 'Réessayez plus tard.',
})
const faults = [fault('SGT403', 'consent', 'Le client a retiré son accord.'), fault('SGT404', 'no-data', 'Rien.')]

test('a fault is found by its code, its meaning or its remedy, accents or not', () => {
  expect(findFaults(faults, 'sgt403')).toHaveLength(1)
  expect(findFaults(faults, 'RETIRE accord')).toHaveLength(1)
  expect(findFaults(faults, 'reessayez')).toHaveLength(2)
  expect(findFaults(faults, '', 'no-data').map(({ code }) => code)).toEqual(['SGT404'])
  expect(findFaults(faults, 'introuvable')).toEqual([])
})

test('calls are grouped by their interface, in their own order', () => {
  const call = (id: string, backend: string) => ({
    id,
    backend,
    label: id,
    method: 'GET',
    path: '/',
    params: [],
    notes: [],
    example: '',
  })
  const groups = groupCallsByInterface([call('a', 'holder'), call('b', 'Autre chose'), call('c', 'holder')])
  expect(groups.map(({ id, calls }) => [id, calls.map((one) => one.id)])).toEqual([
    ['interface-holder', ['a', 'c']],
    ['interface-autre-chose', ['b']],
  ])
})
