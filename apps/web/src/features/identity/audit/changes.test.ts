import { expect, test } from 'vitest'
import { listAuditChanges } from './audit-entry.tsx'

test('what changed is told on both sides, what did not is left out, the rest comes after', () => {
  const detail = {
    before: { name: 'Les Toits', city: 'Lyon', perimeter: 'extended' },
    after: { name: 'Les Berges', city: 'Lyon', perimeter: null, tags: ['a', 3] },
    operationId: '17',
  }
  expect(listAuditChanges(detail)).toEqual([
    { name: 'name', before: 'Les Toits', after: 'Les Berges' },
    { name: 'perimeter', before: 'extended', after: '—' },
    { name: 'tags', before: null, after: '["a",3]' },
    { name: 'operationId', before: null, after: '17' },
  ])
})

test('what was made has only an after, what says nothing has nothing', () => {
  expect(listAuditChanges({ after: { prefix: 'vsl_7' } })).toEqual([{ name: 'prefix', before: null, after: 'vsl_7' }])
  expect(listAuditChanges({})).toEqual([])
})
