import { describe, expect, test } from 'vitest'
import { LIBRARY_RULES } from './trusted-types.ts'

const { createHTML, createScriptURL } = LIBRARY_RULES

describe('what a library may write by itself', () => {
  test.each(['[data-viewport]{scrollbar-width:none}', 'a > b { color: red }', '', '<script></script>'])(
    '%j is let through as it is',
    (text) => {
      expect(createHTML(text)).toBe(text)
    },
  )

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<script></script><img src=x onerror=alert(1)>',
    ' <script></script>',
    '</style><script>alert(1)</script>',
    '&lt;img src=x onerror=alert(1)&gt;',
    '<b>gras</b>',
  ])('%j is refused', (text) => {
    expect(createHTML(text)).toBeNull()
  })

  test('only our own worker may be a program by its address', () => {
    expect(createScriptURL('/portal-worker.js')).toBe('/portal-worker.js')
    const others = [
      'https://evil.example/portal-worker.js',
      '/portal-worker.js?x',
      '//evil.example',
      'data:,alert(1)',
      '/files/1',
    ]
    expect(others.map(createScriptURL)).toEqual(others.map(() => null))
  })
})
