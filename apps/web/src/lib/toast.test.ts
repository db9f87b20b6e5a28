import { expect, test } from 'vitest'
import { toast, toastStore } from './toast.ts'

test('what went well lasts two seconds, all else five, and what asks for more has it', () => {
  const lasting = (content: Parameters<typeof toast>[0]) => {
    toast(content)
    return toastStore.read()?.duration
  }
  expect(lasting({ title: 'Enregistré', variant: 'success' })).toBe(2000)
  expect(lasting({ title: 'À savoir' })).toBe(5000)
  expect(lasting({ title: 'Refusé', variant: 'destructive' })).toBe(5000)
  expect(lasting({ title: 'Prêt', variant: 'success', link: { to: '/a', label: 'Voir' } })).toBe(5000)
  expect(lasting({ title: 'Demandé', variant: 'success', duration: 10_000 })).toBe(10_000)
})
