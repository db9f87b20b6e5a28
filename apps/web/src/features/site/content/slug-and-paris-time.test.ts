import { expect, test } from 'vitest'
import { formatParisInput, parseParisInput } from '../../../lib/paris-time.ts'
import { slugify } from './presentation.tsx'

test('a date field is read and written in the time of Paris, whatever the season', () => {
  expect(parseParisInput('2026-07-01T14:30')).toBe('2026-07-01T12:30:00.000Z')
  expect(parseParisInput('2026-12-01T14:30')).toBe('2026-12-01T13:30:00.000Z')
  for (const text of ['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T03:00', '2026-12-31T23:59'])
    expect(formatParisInput(parseParisInput(text))).toBe(text)
  expect(formatParisInput(parseParisInput('2026-03-29T02:30'))).toBe('2026-03-29T03:30')
  expect(formatParisInput(null)).toBe('')
  expect([parseParisInput(''), parseParisInput('demain'), parseParisInput('2026-99-01T10:00')]).toEqual([
    null,
    null,
    null,
  ])
})

test('the address proposed for a title is one that the site accepts', () => {
  expect(slugify('Partager l’énergie d’un toit : où en est-on ?')).toBe('partager-l-energie-d-un-toit-ou-en-est-on')
  expect(slugify('Cœur de ville')).toBe('coeur-de-ville')
  expect(slugify('  — !  ')).toBe('')
  expect(slugify(`${'mot '.repeat(60)}`)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
})
