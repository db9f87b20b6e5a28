import type { OwnSide, Side } from './own-side.ts'

type SideTexts = {
  title: string
  description: string
  /** The picture of a period, and that of the days of a month. */
  chart: string
  days: string
  whole: string
  counted: string
  part: string
  compared: string
  local: string
  rest: string
  answer: (when: string) => string
  received: string
  ofWhole: string
  all: string
  /** What the impact is counted from. */
  counts: string
}

const HOME_TEXTS: Record<Side, SideTexts> = {
  consumption: {
    title: 'Ma consommation',
    description: 'Ce que vous avez consommé, et ce qui est venu du soleil de vos voisins.',
    chart: 'Énergie locale et réseau',
    days: 'Jour par jour\u00a0: local et réseau',
    whole: 'Consommation',
    counted: 'consommés',
    part: 'Part locale',
    compared: 'Votre part d’énergie locale, comparée',
    local: 'sont venus des toits voisins',
    rest: 'du réseau',
    answer: (when) => `de votre électricité a été locale ${when}`,
    received: 'Vous avez reçu',
    ofWhole: 'd’énergie locale',
    all: 'de votre électricité',
    counts: 'Énergie locale reçue',
  },
  production: {
    title: 'Ma production',
    description: 'Ce que vos panneaux ont produit, ce que vos voisins en ont reçu, et ce qui est resté.',
    chart: 'Énergie partagée et surplus',
    days: 'Jour par jour\u00a0: partagé et surplus',
    whole: 'Production',
    counted: 'produits',
    part: 'Part partagée',
    compared: 'Votre part d’énergie partagée, comparée',
    local: 'ont été partagés avec vos voisins',
    rest: 'sont partis en surplus',
    answer: (when) => `de votre production a été partagée avec vos voisins ${when}`,
    received: 'Vous avez partagé',
    ofWhole: 'avec vos voisins',
    all: 'de votre production',
    counts: 'Énergie partagée',
  },
}

/** To whoever has nothing but a battery, its charge is no consumption and its release no production. */
const BATTERY_TEXTS: Record<Side, SideTexts> = {
  consumption: {
    title: 'Charge de ma batterie',
    description: 'Ce que votre batterie a chargé, et ce qui en est venu du soleil de l’opération.',
    chart: 'Énergie stockée et réseau',
    days: 'Jour par jour\u00a0: stocké et réseau',
    whole: 'Charge',
    counted: 'chargés',
    part: 'Part stockée',
    compared: 'Votre part d’énergie stockée, comparée',
    local: 'sont venus du soleil de l’opération',
    rest: 'du réseau',
    answer: (when) => `de la charge de votre batterie est venue du soleil de l’opération ${when}`,
    received: 'Votre batterie a stocké',
    ofWhole: 'd’énergie locale',
    all: 'de sa charge',
    counts: 'Énergie stockée',
  },
  production: {
    title: 'Décharge de ma batterie',
    description: 'Ce que votre batterie a restitué, ce que vos voisins en ont reçu, et ce qui est resté sans preneur.',
    chart: 'Énergie restituée et sans preneur',
    days: 'Jour par jour\u00a0: restitué et sans preneur',
    whole: 'Décharge',
    counted: 'restitués',
    part: 'Part reçue par vos voisins',
    compared: 'Votre part d’énergie restituée à vos voisins, comparée',
    local: 'ont été reçus par vos voisins',
    rest: 'sont restés sans preneur',
    answer: (when) => `de ce que votre batterie a restitué a été reçu par vos voisins ${when}`,
    received: 'Votre batterie a restitué',
    ofWhole: 'à vos voisins',
    all: 'de sa décharge',
    counts: 'Énergie restituée à vos voisins',
  },
}

export const getSideTexts = ({ side, battery }: Pick<OwnSide, 'side' | 'battery'>) =>
  (battery ? BATTERY_TEXTS : HOME_TEXTS)[side]

/** What is told in a line under the month: the roof of whoever also consumes, and what a battery gives back. */
export const getOtherSideTexts = ({ battery }: Pick<OwnSide, 'battery'>) =>
  battery
    ? {
        label: 'La décharge de votre batterie',
        did: 'Votre batterie a restitué',
        given: 'reçus par vos voisins',
        open: 'Voir sa décharge',
      }
    : {
        label: 'Votre production',
        did: 'Votre toit a produit',
        given: 'partagés avec vos voisins',
        open: 'Voir ma production',
      }
