import { expect, test } from 'vitest'
import {
  applyEdit,
  insertBlock,
  insertLink,
  prefixLines,
  type TextEdit,
  type TextSelection,
  wrapSelection,
} from './markdown-edits.ts'

/** « a |b| c » selects b; the answer is written the same way. */
function runEdit(marked: string, edit: (selected: TextSelection) => TextEdit) {
  const start = marked.indexOf('|')
  const end = marked.lastIndexOf('|') - 1
  const text = marked.replaceAll('|', '')
  const change = edit({ text, start, end })
  const after = applyEdit(text, change)
  const [a, b] = change.select
  return `${after.slice(0, a)}|${after.slice(a, b)}|${after.slice(b)}`
}

test('marks go around the selection, and come off again', () => {
  const strong = wrapSelection('**', 'texte en gras')
  expect(runEdit('un |mot| fort', strong)).toBe('un **|mot|** fort')
  expect(runEdit('un **|mot|** fort', strong)).toBe('un |mot| fort')
  expect(runEdit('un || fort', strong)).toBe('un **|texte en gras|** fort')
})

test('a link keeps its words and waits for its address', () => {
  expect(runEdit('lisez |la suite| ici', insertLink)).toBe('lisez [la suite](|/contact|) ici')
})

test('lines get their mark at their head, wherever the selection begins', () => {
  const list = prefixLines('- ', 'un élément')
  expect(runEdit('un\nde|ux\ntr|ois\nquatre', list)).toBe('un\n|- deux\n- trois|\nquatre')
  expect(runEdit('|- deux\n- trois|', list)).toBe('|deux\ntrois|')
  expect(runEdit('||', prefixLines('## ', 'Titre'))).toBe('## |Titre|')
})

test('a part stands between blank lines, one on each side', () => {
  const note = insertBlock(':::note Titre\ntexte\n:::', 'texte')
  expect(runEdit('avant\n||après', note)).toBe('avant\n\n:::note Titre\n|texte|\n:::\n\naprès')
  expect(runEdit('||', note)).toBe(':::note Titre\n|texte|\n:::\n')
  expect(runEdit('avant\n\n\n||', note)).toBe('avant\n\n:::note Titre\n|texte|\n:::\n')
})
