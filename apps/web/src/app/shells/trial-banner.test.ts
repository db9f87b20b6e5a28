import { expect, test } from 'vitest'
import about from '../../../package.json' with { type: 'json' }
import { formatCopyright, formatVersion } from './brand-mark.tsx'
import { formatTrial } from './trial-banner.tsx'

test('the trial counts the day begun, and says when it is over', () => {
  const now = Date.parse('2026-06-10T12:00:00Z')
  expect(formatTrial('2026-07-10T12:00:00Z', now)).toBe('Essai gratuit\u00a0: il reste 30\u00a0jours')
  expect(formatTrial('2026-06-11T18:00:00Z', now)).toBe('Essai gratuit\u00a0: il reste 2\u00a0jours')
  expect(formatTrial('2026-06-10T13:00:00Z', now)).toBe('Essai gratuit\u00a0: il reste 1\u00a0jour')
  expect(formatTrial('2026-06-10T12:00:00Z', now)).toBe('Votre essai gratuit s’est terminé le 10/06/2026')
})

test('the footer says the version with the commit that the pages were built from, where it is known', () => {
  expect(formatVersion('0123456789ab')).toBe(`Version ${about.version} (0123456789ab)`)
  expect(formatVersion('')).toBe(`Version ${about.version}`)
})

test('the copyright runs from the first year to this one', () => {
  expect(formatCopyright(2024)).toBe('© 2024 Voisol')
  expect(formatCopyright(2026)).toBe('© 2024–2026 Voisol')
})
