import { expect, test } from 'vitest'
import { fillReply, listUnknownFields, REPLY_FIELDS } from './support-labels.ts'

test('a field that nothing fills is found, whatever its spaces', () => {
  expect(listUnknownFields('Bonjour {{prenom}}, {{ facture }}')).toEqual([])
  expect(listUnknownFields('{{prénom}} {{}} {{toString}} { {prenom} }')).toEqual(['prénom', '', 'toString'])
  for (const name of Object.keys(REPLY_FIELDS)) expect(listUnknownFields(`{{${name}}}`)).toEqual([])
})

test('what is known is filled in, what is not stays to be seen', () => {
  const values = { prenom: 'Zoé', facture: '' }
  expect(fillReply('Bonjour {{prenom}} ({{ prenom }}), facture {{facture}}', values)).toBe(
    'Bonjour Zoé (Zoé), facture {{facture}}',
  )
  expect(fillReply('{{prenom}}', { prenom: '$& {{nom}}' })).toBe('$& {{nom}}')
})
