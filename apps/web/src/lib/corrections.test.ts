import { expect, test } from 'vitest'
import {
  buildCorrectedFile,
  excludeCorrectableLines,
  findRemainingCorrections,
  getCellText,
  getLineError,
  listColumnTitles,
  toCorrections,
  updateCorrection,
} from './corrections.ts'

const cell = (title: string, text: string, message = '') => ({ title, text, message })
const roux = [cell('Nom', 'Le « Roux »; "B"'), cell('PRM', '123', 'Quatorze chiffres.')]
const lines = [
  { line: 2, outcome: 'created', message: '' },
  { line: 5, outcome: 'refused', message: 'PRM', cells: roux },
  { line: 9, outcome: 'refused', message: 'Segment', cells: [cell('Nom', 'Blanc'), cell('Segment', '', 'Attendu.')] },
]

test('only the refused lines are sent again, with what was written over', async () => {
  const rows = updateCorrection(toCorrections(lines), 5, 'PRM', '19125759600741')
  expect(listColumnTitles(rows)).toEqual(['Nom', 'PRM', 'Segment'])
  const text = await buildCorrectedFile(updateCorrection(rows, 9, 'PRM', '19125759600742')).text()
  expect(text.split('\r\n')).toEqual([
    '"Nom";"PRM";"Segment"',
    '"Le « Roux »; ""B""";"19125759600741";""',
    '"Blanc";"19125759600742";""',
  ])
})

test('what is refused once more stays at its line of the first file', () => {
  const sent = toCorrections(lines)
  const left = findRemainingCorrections(sent, [
    { line: 2, outcome: 'created', message: '' },
    { line: 3, outcome: 'refused', message: 'Encore', cells: [cell('Nom', 'Blanc', 'Encore.')] },
  ])
  expect(left).toEqual([{ line: 9, message: 'Encore', cells: [cell('Nom', 'Blanc', 'Encore.')] }])
  expect(left[0] && getCellText(left[0], 'Nom')).toBe('Blanc')
})

test('what is wrong stands beside the name, whatever its place in the file', () => {
  const cells = [cell('E-mail', ''), cell('Nom', 'Roux'), cell('Ville', ''), cell('PRM', '1', 'Quatorze.')]
  expect(listColumnTitles([{ line: 2, message: '', cells }])).toEqual(['Nom', 'PRM', 'E-mail', 'Ville'])
})

test('a refused line stands once: where it is corrected, or in the list where it cannot be', () => {
  const all = [...lines, { line: 12, outcome: 'refused', message: 'Trop de lignes.' }]
  const corrected = toCorrections(all).map(({ line }) => line)
  expect(corrected).toEqual([5, 9])
  expect(excludeCorrectableLines(all).map(({ line }) => line)).toEqual([2, 12])
})

test('what no cell says is said of the line', () => {
  const [first] = toCorrections(lines)
  expect(first && getLineError(first)).toBe('')
  expect(getLineError({ line: 7, message: 'Déjà ailleurs.', cells: [cell('Nom', 'Blot')] })).toBe('Déjà ailleurs.')
})
