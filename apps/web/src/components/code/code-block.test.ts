import { expect, test } from 'vitest'
import { tokenize } from './code-block.tsx'

const kinds = (code: string, language = 'javascript') =>
  tokenize(code, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)

test('nothing of the code is lost or changed', () => {
  for (const code of ["const a = 'l\\'eau' // 12\n", '{"a": [1, -2.5, null]}', '', "curl -X POST 'https://x.fr/#part'"])
    expect(
      tokenize(code, 'json')
        .map(({ text }) => text)
        .join(''),
    ).toBe(code)
})

test('strings, names, numbers, words and comments are told apart', () => {
  expect(kinds('{ "watts": 540, "open": true }')).toEqual(['key "watts"', 'number 540', 'key "open"', 'word true'])
  expect(kinds("const token = 'Bearer' // 3 jours")).toEqual(['word const', "string 'Bearer'", 'comment // 3 jours'])
  expect(kinds('# une note\nimport requests', 'python')).toEqual(['comment # une note', 'word import'])
})

test('what stands inside a string is nothing else', () => {
  expect(kinds("'https://voisol.fr/api/12 // const'")).toEqual(["string 'https://voisol.fr/api/12 // const'"])
})

test('a text without a language stays as it is', () => {
  expect(tokenize('Horodate;PRM1\n12:00;540', 'csv')).toEqual([{ kind: 'plain', text: 'Horodate;PRM1\n12:00;540' }])
})
