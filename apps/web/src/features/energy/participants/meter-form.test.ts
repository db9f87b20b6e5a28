import { expect, test } from 'vitest'
import { EMPTY_POINT, EntryForm, PointForm, toParticipationDraft, toPointValues } from './meter-form.ts'

const entry = {
  operationId: '7f0d6f2e-0a52-4f3c-9f0a-5d4f3f0a5d4f',
  prm: '19 125 759 625 988',
  direction: 'consumption',
  point: EMPTY_POINT,
  startsOn: '2026-02-01',
  endsOn: '',
  agreementSignedOn: '',
} as const

test('powers are typed in thousands and kept whole; coordinates stand in one field', () => {
  const point = PointForm.parse({
    ...EMPTY_POINT,
    subscribedVa: '1 234,5',
    peakWatts: '36.5',
    latitude: '45,76 ; 4,85',
  })
  expect(toPointValues(point)).toMatchObject({
    subscribedVa: 1_234_500,
    peakWatts: 36_500,
    azimuth: null,
    commissionedOn: null,
    latitude: 45.76,
    longitude: 4.85,
  })
})

test('what is wrong is said on its own field', () => {
  const faults = EntryForm.safeParse({
    ...entry,
    operationId: '',
    prm: '123',
    point: { ...EMPTY_POINT, tilt: 'raide', azimuth: '400' },
  }).error?.issues
  expect(faults?.map(({ path }) => path.join('.'))).toEqual(['operationId', 'prm', 'point.azimuth', 'point.tilt'])
  expect(faults?.[3]?.message).toContain('Nombre attendu')
})

test('what was left empty is not said, so that a known point keeps it', () => {
  const participantId = '0a52f2e7-0a52-4f3c-9f0a-5d4f3f0a5d4f'
  const draft = toParticipationDraft(
    participantId,
    EntryForm.parse({ ...entry, point: { ...EMPTY_POINT, subscribedVa: '9' } }),
  )
  expect(draft).toMatchObject({ participantId, prm: '19125759625988', endsOn: null, agreementSignedOn: null })
  expect(draft.point).toEqual({ segment: 'C5', subscribedVa: 9000 })
})

test('a battery is one entry with both directions, each with its usual segment', () => {
  const battery = EntryForm.parse({
    ...entry,
    direction: 'battery',
    point: { ...EMPTY_POINT, label: 'Batterie du quai' },
  })
  const draft = toParticipationDraft('7f0d6f2e-0a52-4f3c-9f0a-5d4f3f0a5d4e', battery)
  expect(draft).toMatchObject({ direction: 'consumption', storage: true, point: { label: 'Batterie du quai' } })
  expect(draft.point).not.toHaveProperty('segment')
  const plain = toParticipationDraft('7f0d6f2e-0a52-4f3c-9f0a-5d4f3f0a5d4e', EntryForm.parse(entry))
  expect(plain).toMatchObject({ direction: 'consumption', storage: false, point: { segment: 'C5' } })
})
