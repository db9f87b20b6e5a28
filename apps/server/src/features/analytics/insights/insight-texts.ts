import { withDe as ofName } from '@voisol/contract/elision'
import type { Insight, InsightRule } from '@voisol/contract/insights'
import { formatCount, formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import type { FindingNumbers } from './finding-numbers.ts'

type InsightTexts = Pick<Insight, 'sentence' | 'advice' | 'why'>
type MessageFacts = {
  n: (name: string) => number
  t: (name: string) => string
  from: string
  to: string
  kwh: string
  subject: string
  other: string
}
type MessageTemplate = {
  sentence: (of: MessageFacts) => string
  advice: string
  why: (of: MessageFacts & Pick<FindingNumbers, 'statistic' | 'threshold'>) => InsightTexts['why']
}

const formatOneDecimal = (value: number) => formatFrenchNumber(Math.round(value * 10) / 10)
const formatTwoDecimals = (value: number) => formatFrenchNumber(Math.round(value * 100) / 100)
const formatPercent = (part: number) => `${formatOneDecimal(100 * part)}\u00a0%`
const KEY_OFFER_LABELS: Record<string, string> = {
  default: 'au prorata des consommations',
  bounded: 'statique, chacun entre la moitié et le double de sa part',
  floor: 'statique, la plus faible couverture étant la plus haute possible',
}
const formatHours = ({ hours, statistic }: { hours: number; statistic: number }) =>
  `${formatOneDecimal(hours || statistic)}\u00a0h`

const buildSilentMeterTemplate = (how: string): MessageTemplate => ({
  sentence: ({ subject, n, kwh }) =>
    `${subject} ${how} depuis ${formatOneDecimal(n('hours'))}\u00a0heures\u00a0: ${kwh} sont à estimer.`,
  advice: 'Demandez au distributeur de vérifier le compteur et sa télérelève, puis réimportez les jours concernés.',
  why: ({ statistic, threshold, n }) => ({
    statistic: `${formatHours({ hours: 0, statistic })} d’affilée à ${formatFrenchNumber(n('watts'))}\u00a0W`,
    threshold: `${formatOneDecimal(threshold)}\u00a0h`,
    data: 'Les 60 derniers jours mesurés de ce compteur, estimations exclues.',
  }),
})

const TEMPLATES_BY_RULE: Record<InsightRule, MessageTemplate> = {
  'under-performance': {
    sentence: ({ subject, n, from, kwh }) =>
      `${subject} produit ${formatPercent(n('drop'))} de moins que d’habitude face à ses voisines depuis le ${from}\u00a0: ${kwh} perdus.`,
    advice: 'Faites vérifier les panneaux (salissures, ombres nouvelles) et l’onduleur.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `Somme cumulée des écarts\u00a0: ${formatOneDecimal(statistic)}, et baisse médiane de ${formatPercent(n('drop'))} sur 14 jours`,
      threshold: `${formatOneDecimal(threshold)}, et 7\u00a0%`,
      data: `Énergie de chaque jour rapportée au ciel clair, comparée à la médiane de ${formatCount(n('neighbours'), 'centrale', 'centrales')} à moins de 50\u00a0km\u00a0; l’habitude vient des jours −104 à −14.`,
    }),
  },
  'plant-stopped': {
    sentence: ({ subject, n, kwh }) =>
      `${subject} n’a rien donné pendant ${formatOneDecimal(n('hours'))}\u00a0heures de soleil des trois derniers jours\u00a0: ${kwh} perdus.`,
    advice: 'Vérifiez l’onduleur, le disjoncteur et le découplage\u00a0; appelez l’installateur.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatCount(statistic, 'arrêt', 'arrêts')} d’au moins 4\u00a0h à 0\u00a0W`,
      threshold: `${formatOneDecimal(threshold)} en 72\u00a0h`,
      data: `Heures où la médiane de ${formatCount(n('neighbours'), 'voisine', 'voisines')} dépasse 30\u00a0% de son maximum.`,
    }),
  },
  'inverted-point': {
    sentence: ({ subject, t, n, kwh }) =>
      t('role') === 'producer'
        ? `${subject} est déclaré producteur et donne ${formatPercent(n('nightPart'))} de son énergie la nuit\u00a0: ${kwh} comptés à l’envers.`
        : `${subject} est déclaré consommateur, ne prend presque rien la nuit et suit le soleil\u00a0: ${kwh} comptés à l’envers.`,
    advice: 'Vérifiez auprès du distributeur le sens de ce point, puis corrigez-le et recalculez les mois concernés.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatTwoDecimals(100 * statistic)}\u00a0% de l’énergie quand le soleil est sous −3°, corrélation avec le ciel clair ${formatTwoDecimals(n('correlation'))}`,
      threshold: `${formatTwoDecimals(100 * threshold)}\u00a0%\u00a0; corrélation 0,6 pour un consommateur`,
      data: `Les ${formatCount(Math.round(n('days')), 'dernier jour', 'derniers jours')} mesurés.`,
    }),
  },
  'swapped-points': {
    sentence: ({ subject, other, from, kwh }) =>
      `Les courbes ${ofName(subject)} et ${ofName(other)} semblent échangées depuis la semaine du ${from}\u00a0: ${kwh} d’écart entre les deux.`,
    advice: 'Comparez les numéros de compteur sur place avec ceux de la convention avant toute correction.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `Distance croisée ${formatOneDecimal(n('crossed'))}\u00a0W pour ${formatOneDecimal(n('straight'))}\u00a0W en ligne droite, rapport ${formatTwoDecimals(statistic)}\u00a0; hasard ${formatFrenchNumber(Math.round(n('chance') * 1e5) / 1e5)}`,
      threshold: `Rapport ${formatTwoDecimals(threshold)}\u00a0; hasard 0,01 partagé entre ${formatCount(n('pairs'), 'paire', 'paires')}`,
      data: 'Profils de 18 semaines, par tranches de trois heures, jours ouvrés et de repos.',
    }),
  },
  'clock-shifted': {
    sentence: ({ subject, n }) =>
      `La courbe ${ofName(subject)} est ${n('minutes') > 0 ? 'en retard' : 'en avance'} de ${formatOneDecimal(Math.abs(n('minutes')))}\u00a0minutes sur le soleil, depuis 14 jours.`,
    advice: 'Vérifiez l’heure du compteur, ou le fuseau du fichier d’où viennent les relevés.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatOneDecimal(statistic)}\u00a0min\u00a0; ressemblance au ciel clair ${formatTwoDecimals(n('asIs'))} telle quelle, ${formatTwoDecimals(n('after'))} une fois décalée\u00a0; ${formatCount(n('steadyDays'), 'jour', 'jours')} d’accord sur ${formatOneDecimal(n('days'))}`,
      threshold: `${formatOneDecimal(threshold)}\u00a0min, 11 jours sur 14`,
      data: 'Les 14 derniers jours mesurés et le plan déclaré de la centrale\u00a0; en deçà de 45\u00a0min un azimut mal connu suffirait.',
    }),
  },
  'base-load': {
    sentence: ({ subject, n, kwh }) =>
      `La consommation de fond ${ofName(subject)} a monté de ${formatOneDecimal(n('step'))}\u00a0W depuis dix jours, soit ${kwh} par an${n('heated') ? ' (à vérifier\u00a0: logement chauffé)' : ''}.`,
    advice: 'Cherchez un appareil resté allumé\u00a0: ventilation, congélateur, chauffage d’appoint.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `Deuxième plus bas de dix jours\u00a0: ${formatOneDecimal(statistic)}\u00a0W`,
      threshold: `${formatOneDecimal(threshold)}\u00a0W (habituel ${formatOneDecimal(n('usual'))}\u00a0W, pente ${formatOneDecimal(n('slope'))}\u00a0W par degré)`,
      data: 'Moyenne des trois heures les plus basses de chaque jour, corrigée des degrés-jours annoncés.',
    }),
  },
  'stuck-meter': buildSilentMeterTemplate('répète la même valeur'),
  'mute-meter': buildSilentMeterTemplate('ne compte plus rien'),
  'consent-ends': {
    sentence: ({ subject, n, t }) =>
      n('daysLeft') < 0
        ? `Le consentement ${ofName(subject)} est fini depuis le ${formatFrenchDay(t('expiresOn'))}\u00a0: ses mois ne pourront plus être arrêtés.`
        : `Le consentement ${ofName(subject)} finit le ${formatFrenchDay(t('expiresOn'))}\u00a0: sans lui, ses mois ne pourront plus être arrêtés.`,
    advice: 'Demandez son renouvellement depuis la fiche du participant.',
    why: ({ statistic, threshold }) => ({
      statistic: `${formatCount(statistic, 'jour', 'jours')} avant la fin`,
      threshold: `${formatOneDecimal(threshold)} jours`,
      data: 'Le dernier consentement à la collecte\u00a0; l’enjeu est l’énergie locale reçue en 30 jours.',
    }),
  },
  'data-lost': {
    sentence: ({ subject, n, t }) =>
      `Plus rien n’arrive ${ofName(subject)} depuis le ${formatFrenchDay(t('lastDay'))}, soit ${formatCount(n('silentDays'), 'jour', 'jours')}\u00a0: plus que d’habitude.`,
    advice:
      'Relancez la demande au distributeur, ou vérifiez que le consentement et la participation tiennent toujours.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatCount(statistic, 'jour', 'jours')} de silence`,
      threshold: `${formatOneDecimal(threshold)} jours, 99\u00a0% de ses propres délais`,
      data: `${formatCount(n('deliveries'), 'jour reçu', 'jours reçus')} de ce point et leur retard.`,
    }),
  },
  'better-key': {
    sentence: ({ subject, n, t, kwh }) =>
      `Avec une clé ${KEY_OFFER_LABELS[t('offer')] ?? ''}, ${formatPercent(n('proposed'))} de la production ${ofName(subject)} auraient été utilisés, au lieu de ${formatPercent(n('used'))}\u00a0: ${kwh} de plus en 30 jours.`,
    advice: 'Ouvrez la comparaison des clés, regardez qui y perd, et portez-la au vote de l’assemblée.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatTwoDecimals(100 * statistic)}\u00a0points d’autoconsommation, positif dans ${formatOneDecimal(n('positive'))} tirages sur 10`,
      threshold: `${formatOneDecimal(100 * threshold)}\u00a0point ou 50\u00a0€ par an, 9 tirages sur 10`,
      data: 'La clé est choisie sans les 30 derniers jours, et jugée sur eux seuls, par le moteur de répartition.',
    }),
  },
  'joins-next': {
    sentence: ({ subject, t, n, kwh }) =>
      `${t('name')} utiliserait ${kwh} des ${formatOneDecimal(n('surplus') / 1000)}\u00a0kWh de surplus ${ofName(subject)} en 150 jours.`,
    advice: 'Comparez les candidats dans «\u00a0Qui devrait rejoindre\u00a0?\u00a0» et invitez le premier.',
    why: ({ statistic, threshold, n }) => ({
      statistic: `${formatPercent(statistic)} du surplus`,
      threshold: formatPercent(threshold),
      data: `${formatCount(n('count'), 'candidat', 'candidats')} des projets à moins de 20\u00a0km, par leur courbe ou leur profil, sous la clé en vigueur.`,
    }),
  },
  'grid-tariff': {
    sentence: ({ n, t, subject }) =>
      `${formatCount(n('count'), 'consommateur', 'consommateurs')} ${ofName(subject)} paieraient moins d’acheminement avec la formule d’autoproduction collective, ${t('name')} le premier.`,
    advice:
      'Faites demander la formule par le fournisseur de chacun\u00a0; la formule actuelle n’est pas connue de Voisol.',
    why: ({ statistic, threshold }) => ({
      statistic: `${formatTwoDecimals(statistic)}\u00a0€ par an pour le premier`,
      threshold: `${formatOneDecimal(threshold)}\u00a0€ par an`,
      data: 'TURPE\u00a07 au 1er août 2025, chaque consommateur jusqu’à 36\u00a0kVA, sa propre courbe d’un an et ce qu’il a reçu.',
    }),
  },
}

type InsightSubject = { subject: string; other: string; startsOn: string; endsOn: string; wh: number | null }

export function buildInsightTexts(
  rule: InsightRule,
  { statistic, threshold, facts }: FindingNumbers,
  insightSubject: InsightSubject,
): InsightTexts {
  const { sentence, advice, why } = TEMPLATES_BY_RULE[rule]
  const messageFacts: MessageFacts = {
    n: (name) => Number(facts[name] ?? 0),
    t: (name) => String(facts[name] ?? ''),
    from: formatFrenchDay(insightSubject.startsOn),
    to: formatFrenchDay(insightSubject.endsOn),
    kwh: `${formatOneDecimal((insightSubject.wh ?? 0) / 1000)}\u00a0kWh`,
    subject: insightSubject.subject,
    other: insightSubject.other,
  }
  return { sentence: sentence(messageFacts), advice, why: why({ ...messageFacts, statistic, threshold }) }
}
