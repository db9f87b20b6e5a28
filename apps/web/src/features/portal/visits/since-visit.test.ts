import { CHANGE_KINDS } from '@voisol/contract/visits'
import { expect, test } from 'vitest'
import { describeVisitChange } from './since-visit.tsx'

const describe = (kind: (typeof CHANGE_KINDS)[number], count: number, day: string | null = null) =>
  describeVisitChange({ kind, count, day }).text

test('one and several are told as people say them', () => {
  expect(describe('joined', 1)).toBe('1\u00a0voisin a rejoint votre opération.')
  expect(describe('left', 3)).toBe('3\u00a0voisins ont quitté votre opération.')
  expect(describe('readings', 2, '2026-11-15')).toBe(
    'Votre compteur a transmis 2\u00a0jours de mesures, jusqu’au 15\u00a0novembre 2026.',
  )
  expect(describe('key', 1, '2026-11-01')).toBe('La règle de partage de l’énergie a changé le 1er\u00a0novembre 2026.')
})

test('every kind is one sentence, and what can be opened says where', () => {
  for (const kind of CHANGE_KINDS) {
    const { text, to, open } = describeVisitChange({ kind, count: 2, day: '2026-11-15' })
    expect(text).toMatch(/^[A-Z0-9].*\.$/)
    expect(to === undefined).toBe(open === undefined)
  }
})
