import { expect, test } from 'vitest'
import { buildProblemsCsv, groupProblems } from './import-problems.tsx'

test('natures come by number, most first, and what was not met is left out', () => {
  expect(groupProblems({ gap: 1, unreadable: 3, rounded: 0, odd: 2 })).toEqual([
    { value: 'unreadable', label: 'Illisible', count: 3 },
    { value: 'odd', label: 'Autre remarque', count: 2 },
    { value: 'gap', label: 'Trou dans la série', count: 1 },
  ])
})

test('a remark that belongs to no line has an empty line, and a formula stays text', () => {
  const file = buildProblemsCsv([
    { line: 0, code: 'impossible', severity: 'error', prm: '19125759625988', message: 'Trop' },
    { line: 7, code: 'gap', severity: 'warning', message: '=SOMME(A1)' },
  ])
  expect(file).toContain(';Erreur;Valeur impossible;19125759625988;Trop\r\n')
  expect(file).toContain("7;Avertissement;Trou dans la série;;'=SOMME(A1)")
})
