import { readFileSync } from 'node:fs'
import { contrast, inkTone, luminance, onColor, parseHex, toHex } from '@voisol/contract/colour'
import { describe, expect, test } from 'vitest'
import { themeVariables } from './theme.ts'

describe('colours', () => {
  test('reads short and long hexadecimal colours, nothing else', () => {
    expect(parseHex('#09f')).toEqual({ r: 0, g: 153, b: 255 })
    expect(parseHex(' #007BFF ')).toEqual({ r: 0, g: 123, b: 255 })
    for (const bad of ['', 'red', '#12', '#12345', '#12345678', 'url(#fff)', '#fff;color:red'])
      expect(parseHex(bad)).toBeNull()
    expect(toHex({ r: 0, g: 123, b: 255 })).toBe('#007BFF')
  })

  test('luminance and contrast follow WCAG', () => {
    expect(luminance('#FFFFFF')).toBeCloseTo(1)
    expect(luminance('#000000')).toBe(0)
    expect(contrast('#007BFF', '#FFFFFF')).toBeCloseTo(3.98, 2)
    expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  })

  test('text on a surface is black above luminance 0.5 and white below', () => {
    expect(onColor('#FFD500')).toBe('#000000')
    expect(onColor('#007BFF')).toBe('#FFFFFF')
    expect(onColor('#BCBCBC')).toBe('#000000')
    expect(onColor('#BBBBBB')).toBe('#FFFFFF')
  })

  test('the ink tone of any colour reads on white, and a dark colour is kept', () => {
    for (const hex of ['#007BFF', '#FFD500', '#17A2B8', '#FFFFFF', '#00FF00', '#FF00FF', '#808080'])
      expect(contrast(inkTone(hex), '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(inkTone('#1e3a8a')).toBe('#1E3A8A')
  })
})

describe('theme variables', () => {
  test('the stylesheet starts with exactly the default theme', () => {
    const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8').toLowerCase()
    for (const [name, value] of Object.entries(themeVariables({})))
      expect(css).toContain(`${name}: ${value};`.toLowerCase())
  })

  test('parsed values pass', () => {
    const vars = themeVariables({
      primaryColor: '#0a5',
      borderRadius: '12px',
      buttonStyle: 'pill',
      cardShadow: 'none',
      fontFamily: "'Source Sans 3', sans-serif",
    })
    expect(vars['--primary']).toBe('#00AA55')
    expect(vars['--radius']).toBe('12px')
    expect(vars['--radius-button']).toBe('999px')
    expect(vars['--shadow-card']).toBe('none')
    expect(vars['--font-brand']).toBe('"Source Sans 3", "Inter Variable", system-ui, sans-serif')
    expect(themeVariables({ borderRadius: '0', buttonStyle: 'square' })['--radius']).toBe('0rem')
  })

  test('hostile or bad values fall back to the defaults', () => {
    const bad = '#fff;background:url(https://x.example)'
    const vars = themeVariables({
      primaryColor: bad,
      secondaryColor: bad,
      accentColor: null,
      borderRadius: 'calc(1px)',
      buttonStyle: '</style>',
      cardShadow: '__proto__',
      fontFamily: 'x"}body{display:none',
    })
    expect(vars).toEqual(themeVariables({}))
    expect(themeVariables({ borderRadius: '999px' })['--radius']).toBe('32px')
  })

  test('button text always reads, whatever the colour', () => {
    for (const primaryColor of ['#007BFF', '#FFD500', '#7FBF7F', '#FFFFFF', '#000000']) {
      const vars = themeVariables({ primaryColor })
      expect(contrast(vars['--primary-solid'], vars['--on-primary-solid'])).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('dark colours apply only when the company enables them and the system prefers dark', () => {
    expect(themeVariables({ darkModeEnabled: true }, { prefersDark: true })['--primary']).toBe('#3399FF')
    expect(themeVariables({ darkModeEnabled: true }, { prefersDark: false })['--primary']).toBe('#007BFF')
    expect(themeVariables({ darkModeEnabled: false }, { prefersDark: true })['--primary']).toBe('#007BFF')
  })
})

test.each(['#FFFFFF', '#F8FAFC', '#FFFDE7', '#FFD600', '#777777', '#000000', '#00FF00'])(
  'with %s, buttons are told from the page and their words are read',
  (primaryColor) => {
    const vars = themeVariables({ primaryColor })
    expect(contrast(vars['--primary-solid'], '#FFFFFF')).toBeGreaterThanOrEqual(1.3)
    expect(contrast(vars['--primary-solid'], vars['--on-primary-solid'])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(vars['--primary-ink'], '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(vars['--ring'], '#FFFFFF')).toBeGreaterThanOrEqual(3)
  },
)
