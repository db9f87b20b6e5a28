import { expect, test } from 'vitest'
import { formatJson, tokenizeJson, truncateAtLine } from './code-block.tsx'

test('an answer is indented where it is JSON and left alone where it is not', () => {
  expect(formatJson('{"a":[1]}')).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', isJson: true })
  expect(formatJson('<html>')).toEqual({ text: '<html>', isJson: false })
  expect(formatJson('{"cut":')).toEqual({ text: '{"cut":', isJson: false })
})

test('the pieces of a text make the text again, whatever it holds', () => {
  const odd = [formatJson('{"a\\"b": "x: 1", "n": -1.5e3, "t": true, "l": [null, "é"]}').text, '"open', '', 'a: 12 "b"']
  for (const text of odd)
    expect(
      tokenizeJson(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
})

test('names, texts, figures and words are told apart', () => {
  const kinds = tokenizeJson('{"v": "540", "n": 12, "ok": false}').filter(({ kind }) => kind !== 'plain')
  expect(kinds.map(({ kind }) => kind)).toEqual(['key', 'text', 'key', 'number', 'key', 'word'])
})

test('a long text is cut at a line, and says how much is left', () => {
  const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
  const { shown, left } = truncateAtLine(text, 200)
  expect(shown.length).toBeLessThanOrEqual(200)
  expect(shown.length + left).toBe(text.length)
  expect(text[shown.length]).toBe('\n')
  expect(truncateAtLine('x'.repeat(50), 20)).toEqual({ shown: 'x'.repeat(20), left: 30 })
})
