import { readFileSync } from 'node:fs'
import { computeContrast, computeLuminance, getTextColour, parseHex, toHex, toTextTone } from '@voisol/contract/colour'
import { describe, expect, test } from 'vitest'
import { buildThemeVariables } from './theme.ts'

describe('colours', () => {
  test('reads short and long hexadecimal colours, nothing else', () => {
    expect(parseHex('#09f')).toEqual({ r: 0, g: 153, b: 255 })
    expect(parseHex(' #007BFF ')).toEqual({ r: 0, g: 123, b: 255 })
    for (const bad of ['', 'red', '#12', '#12345', '#12345678', 'url(#fff)', '#fff;color:red'])
      expect(parseHex(bad)).toBeNull()
    expect(toHex({ r: 0, g: 123, b: 255 })).toBe('#007BFF')
  })

  test('luminance and contrast follow WCAG', () => {
    expect(computeLuminance('#FFFFFF')).toBeCloseTo(1)
    expect(computeLuminance('#000000')).toBe(0)
    expect(computeContrast('#007BFF', '#FFFFFF')).toBeCloseTo(3.98, 2)
    expect(computeContrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  })

  test('text on a surface is black above luminance 0.5 and white below', () => {
    expect(getTextColour('#FFD500')).toBe('#000000')
    expect(getTextColour('#007BFF')).toBe('#FFFFFF')
    expect(getTextColour('#BCBCBC')).toBe('#000000')
    expect(getTextColour('#BBBBBB')).toBe('#FFFFFF')
  })

  test('the ink tone of any colour reads on white, and a dark colour is kept', () => {
    for (const hex of ['#007BFF', '#FFD500', '#17A2B8', '#FFFFFF', '#00FF00', '#FF00FF', '#808080'])
      expect(computeContrast(toTextTone(hex), '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(toTextTone('#1e3a8a')).toBe('#1E3A8A')
  })
})

describe('theme variables', () => {
  test('the stylesheet starts with exactly the default theme', () => {
    const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8').toLowerCase()
    for (const [name, value] of Object.entries(buildThemeVariables({})))
      expect(css).toContain(`${name}: ${value};`.toLowerCase())
  })

  test('parsed values pass', () => {
    const vars = buildThemeVariables({
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
    expect(buildThemeVariables({ borderRadius: '0', buttonStyle: 'square' })['--radius']).toBe('0rem')
  })

  test('hostile or bad values fall back to the defaults', () => {
    const bad = '#fff;background:url(https://x.example)'
    const vars = buildThemeVariables({
      primaryColor: bad,
      secondaryColor: bad,
      accentColor: null,
      borderRadius: 'calc(1px)',
      buttonStyle: '</style>',
      cardShadow: '__proto__',
      fontFamily: 'x"}body{display:none',
    })
    expect(vars).toEqual(buildThemeVariables({}))
    expect(buildThemeVariables({ borderRadius: '999px' })['--radius']).toBe('32px')
  })

  test('button text always reads, whatever the colour', () => {
    for (const primaryColor of ['#007BFF', '#FFD500', '#7FBF7F', '#FFFFFF', '#000000']) {
      const vars = buildThemeVariables({ primaryColor })
      expect(computeContrast(vars['--primary-solid'], vars['--on-primary-solid'])).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('dark colours apply only when the company enables them and the system prefers dark', () => {
    expect(buildThemeVariables({ darkModeEnabled: true }, { prefersDark: true })['--primary']).toBe('#3399FF')
    expect(buildThemeVariables({ darkModeEnabled: true }, { prefersDark: false })['--primary']).toBe('#007BFF')
    expect(buildThemeVariables({ darkModeEnabled: false }, { prefersDark: true })['--primary']).toBe('#007BFF')
  })
})

test.each(['#FFFFFF', '#F8FAFC', '#FFFDE7', '#FFD600', '#777777', '#000000', '#00FF00'])(
  'with %s, buttons are told from the page and their words are read',
  (primaryColor) => {
    const vars = buildThemeVariables({ primaryColor })
    expect(computeContrast(vars['--primary-solid'], '#FFFFFF')).toBeGreaterThanOrEqual(1.3)
    expect(computeContrast(vars['--primary-solid'], vars['--on-primary-solid'])).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(vars['--primary-ink'], '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(vars['--ring'], '#FFFFFF')).toBeGreaterThanOrEqual(3)
  },
)
