import { expect, test } from 'vitest'
import { describeBillImpact } from './impact-dialog.tsx'

test('what a change of the past does to invoices is told with its way, never with a sign alone', () => {
  expect(describeBillImpact(1303)).toBe(
    'Ce mois est facturé\u00a0: 13,03\u00a0€ TTC de plus en tout. Une régularisation sera proposée.',
  )
  expect(describeBillImpact(-97)).toContain('0,97\u00a0€ TTC de moins')
  expect(describeBillImpact(0)).not.toContain('régularisation')
})
