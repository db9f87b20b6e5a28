import { expect, test } from 'vitest'
import { askedFor, certainCity, proposalsOf, withoutCentre } from './commune-choice.ts'

const place = { latitude: null, longitude: null }
const lyon = { code: '69123', name: 'Lyon', postalCodes: ['69001', '69002'], ...place }
const belley = { code: '01034', name: 'Belley', postalCodes: ['01300'], ...place }
const arbignieu = { code: '01015', name: 'Arboys en Bugey', postalCodes: ['01300'], ...place }

test('a whole code is looked for, else a name once it has begun', () => {
  expect(askedFor({ postalCode: '01300', city: 'Bel' })).toBe('01300')
  expect(askedFor({ postalCode: '013', city: 'Bel' })).toBe('Bel')
  expect(askedFor({ postalCode: '013', city: 'Be' })).toBeNull()
})

test('one commune of a code names itself, and only into an empty field', () => {
  expect(certainCity([lyon], { postalCode: '69001', city: '' })).toBe('Lyon')
  expect(certainCity([lyon], { postalCode: '69001', city: 'Lugdunum' })).toBeNull()
  expect(certainCity([belley, arbignieu], { postalCode: '01300', city: '' })).toBeNull()
})

test('several are proposed, until what is typed is one of them, accents and case forgiven', () => {
  const labels = (city: string) =>
    proposalsOf([belley, arbignieu], { postalCode: '01300', city }).map(({ label }) => label)
  expect(labels('')).toEqual(['Belley', 'Arboys en Bugey'])
  expect(labels('Autre')).toHaveLength(2)
  expect(labels('arb')).toEqual(['Arboys en Bugey'])
  expect(labels('BELLEY')).toEqual([])
  expect(proposalsOf([belley], { postalCode: '', city: 'bell' })).toEqual([
    { key: '01034', label: 'Belley (01300)', city: 'Belley', postalCode: '01300' },
  ])
  expect(proposalsOf([lyon], { postalCode: '', city: 'lyo' })).toMatchObject([{ city: 'Lyon', postalCode: '' }])
  expect(proposalsOf([lyon], { postalCode: '', city: 'lyon' })).toEqual([])
})

test('a commune whose middle is not known is named once it is meant, and no other', () => {
  const known = { ...belley, latitude: 45.7587, longitude: 5.6879 }
  const typed = { postalCode: '01300', city: 'arboys-en-bugey' }
  expect(withoutCentre([known, arbignieu], typed)).toBe('Arboys en Bugey')
  expect(withoutCentre([known, arbignieu], { ...typed, city: 'Belley' })).toBeNull()
  expect(withoutCentre([known, arbignieu], { ...typed, city: '' })).toBeNull()
})
