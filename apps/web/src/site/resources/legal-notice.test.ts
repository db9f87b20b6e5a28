import { EMPTY_NOTICE } from '@voisol/contract/legal'
import { expect, test } from 'vitest'
import { buildLegalParts } from './legal-notice.tsx'

test('nothing said is nothing shown', () => {
  expect(buildLegalParts(EMPTY_NOTICE)).toEqual([])
})

test('what was said is read as a letterhead says it', () => {
  const said = {
    ...EMPTY_NOTICE,
    publisher: 'Soleil des Pentes',
    legalForm: 'SCIC' as const,
    capital: '37 450 €',
    siren: '552081317',
    registry: 'RCS Lyon',
    hostName: 'Hébergeur des Alpes',
    hostPhone: '04 76 00 24 68',
  }
  expect(buildLegalParts(said)).toEqual([
    {
      title: 'Éditeur',
      lines: ['Soleil des Pentes, SCIC au capital de 37 450 €', 'RCS Lyon 552\u00a0081\u00a0317'],
    },
    { title: 'Hébergement', lines: ['Hébergeur des Alpes', 'Téléphone\u00a0: 04 76 00 24 68'] },
  ])
})

test('what is not asked for is not shown, even when it was written once', () => {
  const written = { ...EMPTY_NOTICE, officer: 'dpo@exemple.fr', mediator: 'CM2C' }
  expect(buildLegalParts(written)).toEqual([])
  expect(buildLegalParts({ ...written, hasOfficer: true }).map(({ title }) => title)).toEqual([
    'Protection des données',
  ])
})
