import { expect, test } from 'vitest'
import { hasLeft, listParticipationNotices } from './participation-notices.tsx'

const TODAY = '2026-11-17'
const participation = (startsOn: string, endsOn: string | null = null, operationName = 'Les Jardins') => ({
  operationName,
  startsOn,
  endsOn,
})

test('whoever stays is told nothing', () => {
  expect(listParticipationNotices([participation('2025-01-01')], TODAY)).toEqual([])
  expect(
    listParticipationNotices([participation('2025-01-01', '2026-01-01'), participation('2025-01-01')], TODAY),
  ).toEqual([])
})

test('coming, leaving and gone, with the last day as one counts it', () => {
  expect(listParticipationNotices([participation('2026-12-01')], TODAY)).toEqual([
    'Vous entrez dans Les Jardins le 1er\u00a0décembre 2026.',
  ])
  expect(listParticipationNotices([participation('2025-01-01', '2026-12-01')], TODAY)).toEqual([
    'Vous quittez Les Jardins. Votre dernier jour est le 30\u00a0novembre 2026.',
  ])
  expect(listParticipationNotices([participation('2025-01-01', TODAY)], TODAY)).toEqual([
    'Vous avez quitté Les Jardins. Votre dernier jour était le 16\u00a0novembre 2026. Vos chiffres et vos factures restent ici.',
  ])
})

test('each operation has its own sentence', () => {
  const words = listParticipationNotices(
    [participation('2025-01-01', '2026-03-01'), participation('2026-12-01', null, 'Le Bourg')],
    TODAY,
  )
  expect(words).toHaveLength(2)
})

test('whoever keeps a meter there has not left, nor has whoever never came', () => {
  expect(hasLeft([], TODAY)).toBe(false)
  expect(hasLeft([participation('2025-01-01', TODAY)], TODAY)).toBe(true)
  expect(hasLeft([participation('2025-01-01', TODAY), participation('2025-01-01', '2026-11-18')], TODAY)).toBe(false)
})
