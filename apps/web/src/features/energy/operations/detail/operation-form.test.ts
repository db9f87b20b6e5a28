import { type Operation, OperationUpdate } from '@voisol/contract/operations'
import { expect, test } from 'vitest'
import {
  findConflictingChanges,
  formatTimeRanges,
  OperationForm,
  parseTimeRanges,
  toOperationForm,
  toOperationUpdate,
} from './operation-form.ts'

const operation: Operation = {
  id: 'c0a80101-0000-4000-8000-000000000001',
  name: 'Halle',
  description: '',
  accNumber: 'ACC00000537',
  pmoName: '',
  pmoSiren: '',
  address: '',
  postalCode: '',
  city: 'Lyon',
  latitude: 45.76,
  longitude: 4.85,
  perimeter: 'extended',
  zone: 'metropole',
  capacityWatts: 36_500,
  stepMinutes: 15,
  startsOn: '2026-10-01',
  endsOn: null,
  surplusBuyer: '',
  unitPrice: 1250,
  vatMode: 'standard',
  timeCalendar: { offPeak: [[1320, 360]], peak: false },
  status: 'pending',
  createdAt: '2026-11-15T10:00:00Z',
  version: 3,
  participants: 0,
  consumers: 0,
  producers: 0,
  totalCapacity: 36.5,
  method: null,
  completeness: null,
  receivedUntil: null,
}

test('an operation goes through the form unchanged', () => {
  const form = OperationForm.parse(toOperationForm(operation))
  expect(form).toMatchObject({ capacityWatts: '36,5', unitPrice: '12,5', offPeak: '22h00-6h00', endsOn: '' })
  const body = OperationUpdate.parse(toOperationUpdate(form))
  for (const key of Object.keys(body) as (keyof typeof body)[]) expect(body[key]).toEqual(operation[key])
})

test('hours are read as people write them', () => {
  expect(parseTimeRanges('22h-6h, 12h30-14:00')).toEqual([
    [1320, 360],
    [750, 840],
  ])
  expect(parseTimeRanges('')).toEqual([])
  for (const text of ['25h-6h', '22h', '22h-22h', '1h-2h,3h-4h,5h-6h,7h-8h,9h-10h'])
    expect(parseTimeRanges(text)).toBeNull()
  expect(formatTimeRanges([[0, 1440]])).toBe('0h00-24h00')
})

test('what somebody else wrote meanwhile is told in the words of the form', () => {
  const typed = OperationForm.parse({ ...toOperationForm(operation), name: 'Halle du marché' })
  const now: Operation = { ...operation, unitPrice: 1400, version: 4 }
  expect(findConflictingChanges(typed, now)).toEqual([
    { path: 'name', message: 'Enregistré entre-temps\u00a0: «\u00a0Halle\u00a0».' },
    { path: 'unitPrice', message: 'Enregistré entre-temps\u00a0: «\u00a014\u00a0».' },
  ])
})
