import {
  computeContrast,
  getTextColour,
  MIN_INK_CONTRAST,
  parseHex,
  toButtonTone,
  toTextTone,
} from '@voisol/contract/colour'
import type { WhiteLabel } from '@voisol/contract/white-label'

export type ColourName = Extract<keyof WhiteLabel, `${string}Color`>
/** Where a colour is read, how well, and the shade of it that reads. */
export type ContrastVerdict = {
  name: ColourName
  label: string
  ratio: number
  needed: number
  fits: boolean
  shade: string
}

/** What WCAG 2.2 asks of words, and of what is only seen. */
const TEXT_CONTRAST = 4.5
const GRAPHIC_CONTRAST = 3

type ContrastColours = Pick<WhiteLabel, ColourName | 'darkModeEnabled'>
type ContrastCheck = {
  name: ColourName
  label: string
  needed: number
  ratio: (look: ContrastColours) => number
  mended: (hex: string) => string
}

const getContrastOnWhite = (hex: string) => computeContrast(hex, '#FFFFFF')
const toReadableTone = (hex: string) => toTextTone(hex, MIN_INK_CONTRAST)

const LIGHT_CHECKS: ContrastCheck[] = [
  {
    name: 'primaryColor',
    label: 'Liens et petits textes sur fond blanc',
    needed: TEXT_CONTRAST,
    ratio: (l) => getContrastOnWhite(l.primaryColor),
    mended: toReadableTone,
  },
  {
    name: 'primaryColor',
    label: 'Texte des boutons',
    needed: TEXT_CONTRAST,
    ratio: (l) => computeContrast(l.primaryColor, getTextColour(l.primaryColor)),
    mended: toButtonTone,
  },
  {
    name: 'secondaryColor',
    label: 'Repères secondaires sur fond blanc',
    needed: GRAPHIC_CONTRAST,
    ratio: (l) => getContrastOnWhite(l.secondaryColor),
    mended: (hex) => toTextTone(hex, GRAPHIC_CONTRAST),
  },
  {
    name: 'accentColor',
    label: 'Repères d’accent sur fond blanc',
    needed: GRAPHIC_CONTRAST,
    ratio: (l) => getContrastOnWhite(l.accentColor),
    mended: (hex) => toTextTone(hex, GRAPHIC_CONTRAST),
  },
]
const DARK_CHECKS: ContrastCheck[] = [
  {
    name: 'darkModePrimaryColor',
    label: 'Liens et petits textes, appareil en mode sombre',
    needed: TEXT_CONTRAST,
    ratio: (l) => getContrastOnWhite(l.darkModePrimaryColor),
    mended: toReadableTone,
  },
  {
    name: 'darkModePrimaryColor',
    label: 'Texte des boutons, appareil en mode sombre',
    needed: TEXT_CONTRAST,
    ratio: (l) => computeContrast(l.darkModePrimaryColor, getTextColour(l.darkModePrimaryColor)),
    mended: toButtonTone,
  },
  {
    name: 'darkModeBackgroundColor',
    label: 'Couleur principale sur le fond sombre',
    needed: GRAPHIC_CONTRAST,
    ratio: (l) => computeContrast(l.darkModePrimaryColor, l.darkModeBackgroundColor),
    mended: () => '#121212',
  },
]

const isCompleteColour = (look: ContrastColours, { name }: ContrastCheck) => parseHex(look[name]) !== null

/** Colours that are still being typed are not judged. */
export const checkContrasts = (look: ContrastColours): ContrastVerdict[] =>
  [...LIGHT_CHECKS, ...(look.darkModeEnabled ? DARK_CHECKS : [])]
    .filter((check) => isCompleteColour(look, check) && parseHex(look.darkModePrimaryColor) !== null)
    .map((check) => {
      const ratio = check.ratio(look)
      const { name, label, needed } = check
      return { name, label, needed, ratio, fits: ratio >= needed, shade: check.mended(look[name]) }
    })
