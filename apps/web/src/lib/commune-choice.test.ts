import { expect, test } from 'vitest'
import {
  buildCommuneSuggestions,
  findCommuneWithoutCentre,
  findOnlyCity,
  getCommuneSearchText,
} from './commune-choice.ts'

const place = { latitude: null, longitude: null }
const lyon = { code: '69123', name: 'Lyon', postalCodes: ['69001', '69002'], ...place }
const belley = { code: '01034', name: 'Belley', postalCodes: ['01300'], ...place }
const arbignieu = { code: '01015', name: 'Arboys en Bugey', postalCodes: ['01300'], ...place }

test('a whole code is looked for, else a name once it has begun', () => {
  expect(getCommuneSearchText({ postalCode: '01300', city: 'Bel' })).toBe('01300')
  expect(getCommuneSearchText({ postalCode: '013', city: 'Bel' })).toBe('Bel')
  expect(getCommuneSearchText({ postalCode: '013', city: 'Be' })).toBeNull()
})

test('one commune of a code names itself, and only into an empty field', () => {
  expect(findOnlyCity([lyon], { postalCode: '69001', city: '' })).toBe('Lyon')
  expect(findOnlyCity([lyon], { postalCode: '69001', city: 'Lugdunum' })).toBeNull()
  expect(findOnlyCity([belley, arbignieu], { postalCode: '01300', city: '' })).toBeNull()
})

test('several are proposed, until what is typed is one of them, accents and case forgiven', () => {
  const labels = (city: string) =>
    buildCommuneSuggestions([belley, arbignieu], { postalCode: '01300', city }).map(({ label }) => label)
  expect(labels('')).toEqual(['Belley', 'Arboys en Bugey'])
  expect(labels('Autre')).toHaveLength(2)
  expect(labels('arb')).toEqual(['Arboys en Bugey'])
  expect(labels('BELLEY')).toEqual([])
  expect(buildCommuneSuggestions([belley], { postalCode: '', city: 'bell' })).toEqual([
    { key: '01034', label: 'Belley (01300)', city: 'Belley', postalCode: '01300' },
  ])
  expect(buildCommuneSuggestions([lyon], { postalCode: '', city: 'lyo' })).toMatchObject([
    { city: 'Lyon', postalCode: '' },
  ])
  expect(buildCommuneSuggestions([lyon], { postalCode: '', city: 'lyon' })).toEqual([])
})

test('a commune whose middle is not known is named once it is meant, and no other', () => {
  const known = { ...belley, latitude: 45.7587, longitude: 5.6879 }
  const typed = { postalCode: '01300', city: 'arboys-en-bugey' }
  expect(findCommuneWithoutCentre([known, arbignieu], typed)).toBe('Arboys en Bugey')
  expect(findCommuneWithoutCentre([known, arbignieu], { ...typed, city: 'Belley' })).toBeNull()
  expect(findCommuneWithoutCentre([known, arbignieu], { ...typed, city: '' })).toBeNull()
})
