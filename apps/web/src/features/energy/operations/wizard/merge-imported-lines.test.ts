import type { ParticipantLine } from '@voisol/contract/participants'
import { expect, test } from 'vitest'
import { createConsumerRow, createOperationDraft, createPlantRow } from './draft.ts'
import { buildOperationBody } from './draft-body.ts'
import { mergeImportedLines } from './merge-imported-lines.ts'

const PRM = '19125759600001'
const line: ParticipantLine = {
  firstName: 'Zoé',
  lastName: 'Lambert',
  email: 'zoe@exemple.fr',
  city: 'Lyon',
  prm: PRM,
  direction: 'consumption',
  subscribedVa: 9000,
  latitude: 45.76,
  longitude: 4.85,
}
const roof: ParticipantLine = {
  name: 'Halle',
  siren: '552081317',
  prm: '30001234567891',
  direction: 'production',
  peakWatts: 42_300,
  azimuth: 172,
}
const emptyDraft = { producers: [createPlantRow()], consumers: [createConsumerRow()] }

test('the good lines of a file find their side and keep all they say', () => {
  const after = mergeImportedLines(emptyDraft, [line, roof])
  expect(after.producers).toMatchObject([{ name: 'Halle', kind: 'organisation', kwc: '42,3', segment: 'P4' }])
  expect(after.consumers).toMatchObject([{ name: 'Zoé Lambert', kind: 'person', kva: '9', segment: 'C5' }])
  expect(after.kept).toEqual([])
  const { body } = buildOperationBody({ ...createOperationDraft(), ...after }, 'pending')
  expect(body.participants?.at(-1)).toMatchObject({
    firstName: 'Zoé',
    lastName: 'Lambert',
    city: 'Lyon',
    kind: 'person',
    segment: 'C5',
  })
  const renamed = {
    ...createOperationDraft(),
    ...after,
    consumers: after.consumers.map((row) => ({ ...row, name: 'Zoé Roux' })),
  }
  expect(buildOperationBody(renamed, 'pending').body.participants?.at(-1)).toMatchObject({ name: 'Zoé Roux' })
})

test('what was typed is never overwritten; what is empty is filled, and the difference is told', () => {
  const typed = { ...createConsumerRow(), name: 'Foyer 1', prm: '19 125 759 600 001', kva: '6', share: '4,5' }
  const after = mergeImportedLines({ ...emptyDraft, consumers: [createConsumerRow(), typed] }, [line])
  expect(after.consumers).toHaveLength(1)
  expect(after.consumers[0]).toMatchObject({
    name: 'Foyer 1',
    kva: '6',
    share: '4,5',
    email: 'zoe@exemple.fr',
    position: '45,76 ; 4,85',
  })
  expect(after.kept).toEqual([
    { row: 'Foyer 1', field: 'Nom', typed: 'Foyer 1', said: 'Zoé Lambert' },
    { row: 'Foyer 1', field: 'Puissance souscrite', typed: '6', said: '9' },
  ])
})

test('a typed value that says the same in other words is no difference', () => {
  const typed = { ...createPlantRow(), name: 'Halle', prm: roof.prm, kwc: '42.30' }
  const { producers, kept } = mergeImportedLines({ ...emptyDraft, producers: [typed] }, [roof])
  expect(kept).toEqual([])
  expect(producers[0]).toMatchObject({ kwc: '42.30', azimuth: '172', tilt: '30' })
})

test('a second file renews what the first one said, and leaves what was typed since', () => {
  const first = mergeImportedLines(emptyDraft, [line])
  const since = first.consumers.map((row) => ({ ...row, email: 'zoe.lambert@exemple.fr', segment: 'C4' }))
  const second = mergeImportedLines({ ...first, consumers: since }, [
    { ...line, email: 'z@exemple.fr', subscribedVa: 12_000 },
  ])
  expect(second.consumers[0]).toMatchObject({ email: 'zoe.lambert@exemple.fr', kva: '12', segment: 'C4' })
  expect(second.kept.map(({ field }) => field)).toEqual(['Adresse e-mail'])
  const { body } = buildOperationBody({ ...createOperationDraft(), ...second }, 'draft')
  expect(body.participants).toMatchObject([{ email: 'zoe.lambert@exemple.fr', segment: 'C4', subscribedVa: 12_000 }])
})

test('a file that says nothing of a field does not empty it', () => {
  const first = mergeImportedLines(emptyDraft, [line])
  const second = mergeImportedLines(first, [
    { prm: PRM, direction: 'consumption', lastName: 'Lambert', firstName: 'Zoé' },
  ])
  expect(second.consumers[0]).toMatchObject({ email: 'zoe@exemple.fr', kva: '9' })
})

test('a battery comes in once, among the consumers, whichever direction its line names', () => {
  const battery: ParticipantLine = {
    name: 'Batterie du préau',
    prm: '19125759600417',
    direction: 'production',
    storage: true,
  }
  const after = mergeImportedLines(emptyDraft, [line, battery])
  expect(after.producers).toEqual([])
  expect(after.consumers.map(({ name, meter }) => [name, meter])).toEqual([
    ['Zoé Lambert', 'home'],
    ['Batterie du préau', 'battery'],
  ])
  const { body } = buildOperationBody({ ...createOperationDraft(), ...after }, 'pending')
  expect(body.participants?.map(({ storage }) => storage)).toEqual([undefined, true])
})

test('a meter that somebody said to be a battery stays one, and the choice is told in words', () => {
  const typed = { ...createConsumerRow(), name: 'Zoé Lambert', prm: PRM, meter: 'battery' as const }
  const quiet = mergeImportedLines({ ...emptyDraft, consumers: [typed] }, [line])
  expect([quiet.consumers[0]?.meter, quiet.kept]).toEqual(['battery', []])
  const told = mergeImportedLines({ ...emptyDraft, consumers: [typed] }, [{ ...line, storage: false }])
  expect(told.kept).toEqual([{ row: 'Zoé Lambert', field: 'Compteur', typed: 'Batterie', said: 'Consommation' }])
  const { body } = buildOperationBody(
    { ...createOperationDraft(), ...emptyDraft, consumers: [{ ...typed, meter: 'home', rest: { storage: true } }] },
    'pending',
  )
  expect(body.participants?.[0]).not.toHaveProperty('storage')
})
