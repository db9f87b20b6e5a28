import type { CheckItem } from '@voisol/contract/billing'
import { formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import type { MonthInputPart, MonthIssue, MonthNotice } from '@voisol/money/issues'
import type { MonthSource } from './compute-month.ts'

/** How sentences name the members, producers and meters of a month. */
type MonthNames = {
  member: (id: string) => string
  producer: (id: string) => string
  seller: (id: string) => string
  point: (prm: string) => string
  rule: (id: string) => string
}

export function buildMonthNames({ quantities, frame }: MonthSource, sellers: ReadonlyMap<string, string>): MonthNames {
  const members = new Map(quantities.members.map((member) => [member.id, member]))
  const byPrm = new Map(quantities.members.map((member) => [member.prm, member]))
  const producers = new Map(quantities.producers.map((producer) => [producer.id, producer]))
  const withMeter = (name: string, prm: string) => `${name} (compteur ${prm})`
  return {
    member: (id) => {
      const found = members.get(id)
      return found ? withMeter(found.name, found.prm) : id
    },
    producer: (id) => {
      const found = producers.get(id)
      if (!found) return id
      return found.id === found.pointId ? found.label : `${found.label} (repris le ${formatFrenchDay(found.from)})`
    },
    seller: (id) => sellers.get(id) || 'ce vendeur',
    point: (prm) => withMeter(byPrm.get(prm)?.name ?? 'un compteur', prm),
    rule: (id) => getRuleLabel(frame.labels, id) || id,
  }
}

/** The id of a rule for a meter that changed holder has a day added after its own id. */
export const getRuleLabel = (labels: Record<string, string>, id: string): string =>
  labels[id] ?? labels[id.replace(/@.*$/, '')] ?? ''

type Message = { sentence: string; href: string }
type FixLinks = { tariffs: string; indexes: string; parties: string; participants: string; distributor: string }

export const buildFixLinks = (operationId: string): FixLinks => ({
  tariffs: `/advanced-billing?tab=tarifs&operation=${operationId}`,
  indexes: `/advanced-billing?tab=indices&operation=${operationId}`,
  parties: '/advanced-billing?tab=sellers',
  participants: `/acc-operations/${operationId}?onglet=participants`,
  distributor: `/acc-operations/${operationId}?onglet=distributeur`,
})

const THING_LABELS: Record<MonthInputPart, string> = {
  seller: 'Un vendeur',
  producer: 'Un producteur',
  member: 'Un participant',
  cells: 'L’énergie d’un participant',
  distributor: 'Une quantité du distributeur',
  tariff: 'Une version du tarif',
  rule: 'Une règle du tarif',
  fee: 'Un frais',
  discount: 'Une remise',
  accise: 'Un tarif de l’accise',
}
const getFixLink = (what: MonthInputPart, places: FixLinks) => {
  if (what === 'seller' || what === 'producer' || what === 'accise') return places.parties
  if (what === 'member') return places.participants
  return what === 'cells' || what === 'distributor' ? places.distributor : places.tariffs
}

/** Describes an invalid figure or date, and what it belongs to. */
function describeInvalidValue(issue: Extract<MonthIssue, { what: MonthInputPart }>, places: FixLinks): Message {
  const thing = THING_LABELS[issue.what]
  const href = getFixLink(issue.what, places)
  if (issue.code === 'badSpan') return { sentence: `${thing} (${issue.id}) finit avant de commencer.`, href }
  if (issue.code === 'repeatedId') return { sentence: `${thing} (${issue.id}) est nommé deux fois.`, href }
  if (issue.code === 'overlappingVersions')
    return { sentence: `${thing} (${issue.id}) a deux versions qui valent le ${formatFrenchDay(issue.from)}.`, href }
  if (issue.code === 'badFigure')
    return {
      sentence: `${thing} (${issue.id}) porte un chiffre négatif ou qui n’est pas entier (${issue.field}).`,
      href,
    }
  return { sentence: `${thing} (${issue.id}) nomme un vendeur ou un compteur que ce mois ne connaît pas.`, href }
}

const describeIssue = (
  issue: Exclude<MonthIssue, { what: MonthInputPart }>,
  names: MonthNames,
  places: FixLinks,
): Message => {
  switch (issue.code) {
    case 'badMonth':
      return { sentence: `${issue.month} n’est pas un mois.`, href: places.tariffs }
    case 'badResolution':
      return { sentence: 'L’unité facturée doit être de 1 Wh ou de 1 kWh.', href: '/advanced-billing?tab=settings' }
    case 'holdersOverlap':
      return {
        sentence: `Le compteur ${issue.prm} a deux titulaires à la fois\u00a0: ${issue.members.map(names.member).join(' et ')}.`,
        href: places.participants,
      }
    case 'tiedRules':
      return {
        sentence: `Deux règles du tarif du ${formatFrenchDay(issue.from)} disent la même chose\u00a0: ${issue.rules.map(names.rule).join(' et ')}.`,
        href: places.tariffs,
      }
    case 'rowBeyondMonth':
      return {
        sentence: `Une quantité du distributeur de ${names.point(issue.prm)} dépasse le mois (${formatFrenchDay(issue.from)} – ${formatFrenchDay(issue.to)}).`,
        href: places.distributor,
      }
    case 'noProducer':
      return {
        sentence: `Le distributeur attribue de l’énergie à ${names.point(issue.prm)}, et aucun producteur ne participe ce mois-là.`,
        href: places.participants,
      }
    case 'noRule':
      return {
        sentence: `Aucun prix pour ${names.member(issue.member)} auprès de ${names.producer(issue.producer)} le ${formatFrenchDay(issue.day)} (classe ${issue.class}).`,
        href: places.tariffs,
      }
    case 'indexNotPublished':
      return {
        sentence: `L’indice de la règle ${names.rule(issue.rule)} n’est pas publié au ${formatFrenchDay(issue.day)}\u00a0: saisissez-le, ou acceptez sa dernière valeur.`,
        href: places.indexes,
      }
    case 'noAcciseClass':
      return {
        sentence: `${names.member(issue.member)} n’a pas de catégorie d’accise, et achète à une installation qui la doit.`,
        href: '/advanced-billing?tab=buyers',
      }
    case 'noAcciseRate':
      return {
        sentence: `Aucun tarif de l’accise pour la catégorie ${issue.class} le ${formatFrenchDay(issue.day)}.`,
        href: '/advanced-billing?tab=settings',
      }
    case 'noKva':
      return {
        sentence: `${names.member(issue.member)} doit un frais par kVA, et sa puissance souscrite n’est pas renseignée.`,
        href: places.participants,
      }
    case 'noVatMode':
      return {
        sentence: `Le régime de TVA de ${names.seller(issue.seller)} n’est pas renseigné au ${formatFrenchDay(issue.day)}.`,
        href: places.parties,
      }
  }
}

/** Whether the issue is about a production point that no seller is set for. */
const isProducerWithoutSeller = (issue: MonthIssue) =>
  issue.code === 'unknownReference' && issue.what === 'producer' && issue.target === ''

export function toBlockingItem(issue: MonthIssue, names: MonthNames, places: FixLinks): CheckItem {
  if (isProducerWithoutSeller(issue) && 'id' in issue)
    return {
      code: 'noSeller',
      level: 'blocking',
      sentence: `${names.producer(issue.id)} n’a pas de vendeur\u00a0: dites au nom de qui son énergie est facturée.`,
      href: places.parties,
    }
  const told = 'what' in issue ? describeInvalidValue(issue, places) : describeIssue(issue, names, places)
  return { code: issue.code, level: 'blocking', ...told }
}

const kwh = (wh: number) => `${formatFrenchNumber(wh / 1000)}\u00a0kWh`

const SPREAD_LEVEL_LABELS = {
  2: 'en suivant ses autres classes horaires',
  3: 'en suivant les autres participants',
  4: 'en parts égales entre les producteurs et les jours',
} as const

/** Warnings that do not block a close; provisional figures have their own item. */
export function toWarningItems(notice: MonthNotice, names: MonthNames, places: FixLinks): CheckItem[] {
  const warn = (sentence: string, href: string): CheckItem[] => [
    { code: notice.code, level: 'warning', sentence, href },
  ]
  switch (notice.code) {
    case 'provisional':
    case 'vatCollectedElsewhere':
      return []
    case 'partlyCovered':
      return warn(
        `Le distributeur ne couvre qu’une partie des jours de ${names.point(notice.prm)}\u00a0: nos chiffres sont facturés.`,
        places.distributor,
      )
    case 'spreadLevel':
      return warn(
        `${kwh(notice.wh)} du distributeur pour ${names.point(notice.prm)} (classe ${notice.class}) n’ont pas d’équivalent dans nos calculs\u00a0: répartis ${SPREAD_LEVEL_LABELS[notice.level]}.`,
        places.distributor,
      )
    case 'rowOutsideMembership':
      return warn(
        `${kwh(notice.wh)} du distributeur pour le compteur ${notice.prm} du ${formatFrenchDay(notice.from)} au ${formatFrenchDay(notice.to)} ne reviennent à aucun participant\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'energyOutsideMembership':
      return warn(
        `${kwh(notice.wattMinutes / 60)} de ${names.member(notice.member)} tombent hors de sa participation\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'lastIndexAccepted':
      return warn(
        `L’indice de la règle ${names.rule(notice.rule)} n’est pas publié au ${formatFrenchDay(notice.day)}\u00a0: sa dernière valeur est acceptée.`,
        places.indexes,
      )
  }
}
