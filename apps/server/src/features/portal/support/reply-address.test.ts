import { expect, test } from 'vitest'
import { createSecrets } from '../../../secrets.ts'
import { buildReplyAddress, parseReplyAddress, removeQuotedText } from './reply-address.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const others = createSecrets(Buffer.alloc(32, 8))
const HOST = 'reponses.exemple.fr'
const PLACE = { companyId: 2_147_483_647, id: '9d2f4b68-0c7e-4a15-8f39-5e1b7d3c6a20' }
const address = buildReplyAddress(secrets, HOST, PLACE)

test('an address leads back to its ticket, also in capitals, and fits before the @', () => {
  expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
  expect(parseReplyAddress(secrets, HOST, address)).toEqual(PLACE)
  expect(parseReplyAddress(secrets, HOST, ` ${address.toUpperCase()} `)).toEqual(PLACE)
})

test('one that was made elsewhere, for another ticket, company or host, leads nowhere', () => {
  expect(parseReplyAddress(others, HOST, address)).toBeUndefined()
  expect(parseReplyAddress(secrets, 'autre.exemple.fr', address)).toBeUndefined()
  expect(parseReplyAddress(secrets, HOST, address.replace('9d2f', '9d2e'))).toBeUndefined()
  expect(parseReplyAddress(secrets, HOST, address.replace('reply+zik0zj', 'reply+zik0zi'))).toBeUndefined()
  for (const bad of [
    '',
    'support@reponses.exemple.fr',
    `reply+1-${'a'.repeat(32)}.${'0'.repeat(18)}@${HOST}`,
    `${address}.`,
  ])
    expect(parseReplyAddress(secrets, HOST, bad)).toBeUndefined()
})

test.each([
  ['Merci !\n\nLe lun. 23 mars 2026 à 10:12, Voisol <x@exemple.fr> a écrit :\n> Bonjour\n> suite', 'Merci !'],
  ['Merci !\n\nLe lun. 23 mars 2026 à 10:12, Voisol\n<x@exemple.fr> a écrit :\n> Bonjour', 'Merci !'],
  ['Oui.\r\n\r\nOn Mon, 23 Mar 2026, Voisol wrote:\r\n> Hi', 'Oui.'],
  ['Oui\n-- \nZoé Martin\n06 00 00 00 00', 'Oui'],
  ['Oui\n\n-----Message d’origine-----\nDe : Voisol <x@exemple.fr>', 'Oui'],
  ['Oui\n\n________________________________\nDe : Voisol', 'Oui'],
  ['Oui\n\nDe : Voisol <x@exemple.fr>\nEnvoyé : lundi', 'Oui'],
  ['Oui\n> — Répondez au-dessus de cette ligne —\n> Bonjour', 'Oui'],
  ['Le compteur est le mien. On me dit que non.', 'Le compteur est le mien. On me dit que non.'],
  ['> tout est cité', '> tout est cité'],
])('what was written stays, what it quotes goes %#', (text, expected) => {
  expect(removeQuotedText(text)).toBe(expected)
})
