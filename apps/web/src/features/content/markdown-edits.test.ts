import { expect, test } from 'vitest'
import { apply, block, type Edit, link, prefix, type Selected, wrap } from './markdown-edits.ts'

/** « a |b| c » selects b; the answer is written the same way. */
function edited(marked: string, edit: (selected: Selected) => Edit) {
  const start = marked.indexOf('|')
  const end = marked.lastIndexOf('|') - 1
  const text = marked.replaceAll('|', '')
  const change = edit({ text, start, end })
  const after = apply(text, change)
  const [a, b] = change.select
  return `${after.slice(0, a)}|${after.slice(a, b)}|${after.slice(b)}`
}

test('marks go around the selection, and come off again', () => {
  const strong = wrap('**', 'texte en gras')
  expect(edited('un |mot| fort', strong)).toBe('un **|mot|** fort')
  expect(edited('un **|mot|** fort', strong)).toBe('un |mot| fort')
  expect(edited('un || fort', strong)).toBe('un **|texte en gras|** fort')
})

test('a link keeps its words and waits for its address', () => {
  expect(edited('lisez |la suite| ici', link)).toBe('lisez [la suite](|/contact|) ici')
})

test('lines get their mark at their head, wherever the selection begins', () => {
  const list = prefix('- ', 'un élément')
  expect(edited('un\nde|ux\ntr|ois\nquatre', list)).toBe('un\n|- deux\n- trois|\nquatre')
  expect(edited('|- deux\n- trois|', list)).toBe('|deux\ntrois|')
  expect(edited('||', prefix('## ', 'Titre'))).toBe('## |Titre|')
})

test('a part stands between blank lines, one on each side', () => {
  const note = block(':::note Titre\ntexte\n:::', 'texte')
  expect(edited('avant\n||après', note)).toBe('avant\n\n:::note Titre\n|texte|\n:::\n\naprès')
  expect(edited('||', note)).toBe(':::note Titre\n|texte|\n:::\n')
  expect(edited('avant\n\n\n||', note)).toBe('avant\n\n:::note Titre\n|texte|\n:::\n')
})
