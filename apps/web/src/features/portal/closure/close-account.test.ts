import { expect, test } from 'vitest'
import { listContinuingObligations, listImmediateEffects } from './close-account.tsx'

const facts = { running: [], open: 0, agreements: 0, elsewhere: false }

test('what goes on is told where there is something', () => {
  expect(listContinuingObligations(facts)).toEqual([])
  expect(listContinuingObligations({ ...facts, running: ['Les Jardins'], open: 4210 })).toEqual([
    'Votre participation continue dans Les Jardins. Pour la quitter, demandez-le d’abord depuis votre profil.',
    '42,10\u00a0€ restent à payer. Votre organisateur peut vous écrire par la poste ou par e-mail.',
  ])
})

test('an account that stays for others is not said to be erased', () => {
  expect(listImmediateEffects(facts).join(' ')).toContain('sont effacés de votre compte')
  expect(listImmediateEffects({ ...facts, elsewhere: true }).join(' ')).not.toContain('effacés')
  expect(listImmediateEffects({ ...facts, agreements: 2 })).toContain('2\u00a0accords facultatifs sont retirés.')
})
