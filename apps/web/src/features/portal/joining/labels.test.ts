import { expect, test } from 'vitest'
import { describeDepartureConsequences } from './labels.ts'

test('what remains is told where there is something', () => {
  expect(describeDepartureConsequences({ open: 0, mandates: 0 })).toHaveLength(4)
  const words = describeDepartureConsequences({ open: 1234, mandates: 1 }).join(' ')
  expect(words).toContain('12,34\u00a0€ restent à payer.')
  expect(words).toContain('1\u00a0mandat de prélèvement reste actif')
})
