import { expect, test } from 'vitest'
import { withDe } from './elision.ts'

test.each([
  ['Antoine Faure', 'd’Antoine Faure'],
  ['Claire Martin', 'de Claire Martin'],
  ['Élodie', 'd’Élodie'],
  ['Hélène Roux', 'd’Hélène Roux'],
  ['Hugues Blanc', 'de Hugues Blanc'],
  ['Yves', 'd’Yves'],
  ['Yann', 'de Yann'],
  ['Éco-quartier des Berges', 'de l’Éco-quartier des Berges'],
  ['Résidence Les Tilleuls', 'de la Résidence Les Tilleuls'],
  ['Les Jardins de Prévert', 'des Jardins de Prévert'],
  ['Le Goff', 'de Le Goff'],
  ['Leslie Roy', 'de Leslie Roy'],
  ['Site industriel Rhône-Sud', 'du Site industriel Rhône-Sud'],
  ['Appartement 101', 'de l’Appartement 101'],
  ['Parties communes et ascenseurs', 'des Parties communes et ascenseurs'],
  ['Ombrière du marché', 'de l’Ombrière du marché'],
  ['19125759625988', 'de 19125759625988'],
  ['', 'de '],
])('%s', (name, words) => {
  expect(withDe(name)).toBe(words)
})
