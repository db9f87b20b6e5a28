import {
  computeContrast,
  getTextColour,
  MIN_INK_CONTRAST,
  parseHex,
  toButtonTone,
  toHex,
  toTextTone,
} from '@voisol/contract/colour'

const themeDefaults = {
  primaryColor: '#007BFF',
  secondaryColor: '#6C757D',
  accentColor: '#17A2B8',
  darkModePrimaryColor: '#3399FF',
  darkModeSecondaryColor: '#495057',
  darkModeAccentColor: '#20C997',
  borderRadius: '0.5rem',
  buttonStyle: 'rounded',
  cardShadow: 'md',
  fontFamily: 'Inter',
} as const

type ThemeToken = keyof typeof themeDefaults
/** What a company may change; every value is untrusted text until it is parsed here. */
type ThemeConfig = { [K in ThemeToken]?: string | null } & { darkModeEnabled?: boolean | null }

const shadows: Record<string, string> = {
  none: 'none',
  sm: '0 1px 2px rgb(15 23 42 / 0.05)',
  md: '0 1px 2px rgb(15 23 42 / 0.04), 0 2px 6px -1px rgb(15 23 42 / 0.06)',
  lg: '0 2px 4px rgb(15 23 42 / 0.04), 0 8px 18px -4px rgb(15 23 42 / 0.09)',
  xl: '0 4px 8px rgb(15 23 42 / 0.05), 0 18px 36px -8px rgb(15 23 42 / 0.14)',
}

const FALLBACK_FONTS = '"Inter Variable", system-ui, sans-serif'

const parseColour = (value: string | null | undefined, fallback: string) => {
  const rgb = parseHex(value ?? '')
  return rgb ? toHex(rgb) : fallback
}

function parseRadius(value: string | null | undefined) {
  const found = /^(\d{1,3}(?:\.\d{1,3})?)(px|rem)?$/.exec(value?.trim() ?? '')
  if (!found || (!found[2] && Number(found[1]) !== 0)) return themeDefaults.borderRadius
  const unit = found[2] === 'px' ? 'px' : 'rem'
  return `${Math.min(Number(found[1]), unit === 'px' ? 32 : 2)}${unit}`
}

function buildFontStack(value: string | null | undefined) {
  const names = (value ?? '').split(',').map((name) => name.trim().replace(/^(['"])(.*)\1$/, '$2'))
  if (!names.every((name) => /^[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ0-9 -]{0,39}$/.test(name))) return FALLBACK_FONTS
  const own = names.filter((name) => !/^(inter|inter variable|system-ui|sans-serif)$/i.test(name))
  return [...own.map((name) => `"${name}"`), FALLBACK_FONTS].join(', ')
}

const getShadow = (value: string | null | undefined) =>
  shadows[Object.hasOwn(shadows, value ?? '') ? (value ?? '') : themeDefaults.cardShadow] ?? 'none'

const getButtonRadius = (style: string | null | undefined, card: string) =>
  style === 'square' ? '0px' : style === 'pill' ? '999px' : card

/** CSS variables of a white-label config: only parsed tokens come out, a bad value gives the default. */
export function buildThemeVariables(config: ThemeConfig, system: { prefersDark: boolean } = { prefersDark: false }) {
  const dark = Boolean(config.darkModeEnabled) && system.prefersDark
  const brand = (light: ThemeToken, night: ThemeToken) =>
    dark ? parseColour(config[night], themeDefaults[night]) : parseColour(config[light], themeDefaults[light])
  const primary = brand('primaryColor', 'darkModePrimaryColor')
  const ink = toTextTone(primary, MIN_INK_CONTRAST)
  const solid = toButtonTone(primary)
  const corner = parseRadius(config.borderRadius)
  return {
    '--primary': primary,
    '--primary-ink': ink,
    '--primary-solid': solid,
    '--on-primary': getTextColour(primary),
    '--on-primary-solid': getTextColour(solid),
    '--ring': computeContrast(primary, '#FFFFFF') >= 3 ? primary : ink,
    '--secondary': brand('secondaryColor', 'darkModeSecondaryColor'),
    '--accent': brand('accentColor', 'darkModeAccentColor'),
    '--radius': corner,
    '--radius-button': getButtonRadius(config.buttonStyle, corner),
    '--shadow-card': getShadow(config.cardShadow),
    '--font-brand': buildFontStack(config.fontFamily),
  } satisfies Record<`--${string}`, string>
}
