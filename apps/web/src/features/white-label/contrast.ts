import { contrast, INK_CONTRAST, inkTone, onColor, parseHex, solidTone } from '@voisol/contract/colour'
import type { WhiteLabel } from '@voisol/contract/white-label'

export type ColourName = Extract<keyof WhiteLabel, `${string}Color`>
/** Where a colour is read, how well, and the shade of it that reads. */
export type Verdict = { name: ColourName; label: string; ratio: number; needed: number; fits: boolean; shade: string }

/** What WCAG 2.2 asks of words, and of what is only seen. */
const WORDS = 4.5
const SEEN = 3

type Look = Pick<WhiteLabel, ColourName | 'darkModeEnabled'>
type Check = {
  name: ColourName
  label: string
  needed: number
  ratio: (look: Look) => number
  mended: (hex: string) => string
}

const onWhite = (hex: string) => contrast(hex, '#FFFFFF')
const asWords = (hex: string) => inkTone(hex, INK_CONTRAST)

const LIGHT: Check[] = [
  {
    name: 'primaryColor',
    label: 'Liens et petits textes sur fond blanc',
    needed: WORDS,
    ratio: (l) => onWhite(l.primaryColor),
    mended: asWords,
  },
  {
    name: 'primaryColor',
    label: 'Texte des boutons',
    needed: WORDS,
    ratio: (l) => contrast(l.primaryColor, onColor(l.primaryColor)),
    mended: solidTone,
  },
  {
    name: 'secondaryColor',
    label: 'Repères secondaires sur fond blanc',
    needed: SEEN,
    ratio: (l) => onWhite(l.secondaryColor),
    mended: (hex) => inkTone(hex, SEEN),
  },
  {
    name: 'accentColor',
    label: 'Repères d’accent sur fond blanc',
    needed: SEEN,
    ratio: (l) => onWhite(l.accentColor),
    mended: (hex) => inkTone(hex, SEEN),
  },
]
const DARK: Check[] = [
  {
    name: 'darkModePrimaryColor',
    label: 'Liens et petits textes, appareil en mode sombre',
    needed: WORDS,
    ratio: (l) => onWhite(l.darkModePrimaryColor),
    mended: asWords,
  },
  {
    name: 'darkModePrimaryColor',
    label: 'Texte des boutons, appareil en mode sombre',
    needed: WORDS,
    ratio: (l) => contrast(l.darkModePrimaryColor, onColor(l.darkModePrimaryColor)),
    mended: solidTone,
  },
  {
    name: 'darkModeBackgroundColor',
    label: 'Couleur principale sur le fond sombre',
    needed: SEEN,
    ratio: (l) => contrast(l.darkModePrimaryColor, l.darkModeBackgroundColor),
    mended: () => '#121212',
  },
]

const isWhole = (look: Look, { name }: Check) => parseHex(look[name]) !== null

/** Colours that are still being typed are not judged. */
export const verdictsOf = (look: Look): Verdict[] =>
  [...LIGHT, ...(look.darkModeEnabled ? DARK : [])]
    .filter((check) => isWhole(look, check) && parseHex(look.darkModePrimaryColor) !== null)
    .map((check) => {
      const ratio = check.ratio(look)
      const { name, label, needed } = check
      return { name, label, needed, ratio, fits: ratio >= needed, shade: check.mended(look[name]) }
    })
