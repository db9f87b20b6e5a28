import { expect, test } from 'vitest'
import { buildEventLink } from './booking-calendar.ts'

test('the event lasts thirty minutes, in Paris time, and says who comes', () => {
  const link = new URL(
    buildEventLink({
      day: '2026-03-12',
      time: '11:30',
      name: 'Ada & Fils',
      company: 'Les Tilleuls',
      projectType: 'Autre',
    }),
  )
  expect(link.searchParams.get('dates')).toBe('20260312T113000/20260312T120000')
  expect(link.searchParams.get('ctz')).toBe('Europe/Paris')
  expect(link.searchParams.get('location')).toBe('Visioconférence - Lien envoyé par email')
  expect(link.searchParams.get('details')).toContain('Ada & Fils')
  expect(link.searchParams.get('details')).toContain('Les Tilleuls')
})
