import type { CheckItem } from '@voisol/contract/billing'
import type { Issue, Named } from '@voisol/money/issues'
import { frenchDay } from '../../../french.ts'
import type { Names } from './names.ts'

type Told = { sentence: string; href: string }
export type Places = { tariffs: string; indexes: string; parties: string; participants: string; distributor: string }

export const placesOf = (operationId: string): Places => ({
  tariffs: `/advanced-billing?tab=tarifs&operation=${operationId}`,
  indexes: `/advanced-billing?tab=indices&operation=${operationId}`,
  parties: '/advanced-billing?tab=sellers',
  participants: `/acc-operations/${operationId}?onglet=participants`,
  distributor: `/acc-operations/${operationId}?onglet=distributeur`,
})

const THINGS: Record<Named, string> = {
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
const settledAt = (what: Named, places: Places) => {
  if (what === 'seller' || what === 'producer' || what === 'accise') return places.parties
  if (what === 'member') return places.participants
  return what === 'cells' || what === 'distributor' ? places.distributor : places.tariffs
}

/** What is absurd in a figure or a date, and of which thing. */
function absurd(issue: Extract<Issue, { what: Named }>, places: Places): Told {
  const thing = THINGS[issue.what]
  const href = settledAt(issue.what, places)
  if (issue.code === 'badSpan') return { sentence: `${thing} (${issue.id}) finit avant de commencer.`, href }
  if (issue.code === 'repeatedId') return { sentence: `${thing} (${issue.id}) est nommé deux fois.`, href }
  if (issue.code === 'overlappingVersions')
    return { sentence: `${thing} (${issue.id}) a deux versions qui valent le ${frenchDay(issue.from)}.`, href }
  if (issue.code === 'badFigure')
    return {
      sentence: `${thing} (${issue.id}) porte un chiffre négatif ou qui n’est pas entier (${issue.field}).`,
      href,
    }
  return { sentence: `${thing} (${issue.id}) nomme un vendeur ou un compteur que ce mois ne connaît pas.`, href }
}

const words = (issue: Exclude<Issue, { what: Named }>, names: Names, places: Places): Told => {
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
        sentence: `Deux règles du tarif du ${frenchDay(issue.from)} disent la même chose\u00a0: ${issue.rules.map(names.rule).join(' et ')}.`,
        href: places.tariffs,
      }
    case 'rowBeyondMonth':
      return {
        sentence: `Une quantité du distributeur de ${names.point(issue.prm)} dépasse le mois (${frenchDay(issue.from)} – ${frenchDay(issue.to)}).`,
        href: places.distributor,
      }
    case 'noProducer':
      return {
        sentence: `Le distributeur attribue de l’énergie à ${names.point(issue.prm)}, et aucun producteur ne participe ce mois-là.`,
        href: places.participants,
      }
    case 'noRule':
      return {
        sentence: `Aucun prix pour ${names.member(issue.member)} auprès de ${names.producer(issue.producer)} le ${frenchDay(issue.day)} (classe ${issue.class}).`,
        href: places.tariffs,
      }
    case 'indexNotPublished':
      return {
        sentence: `L’indice de la règle ${names.rule(issue.rule)} n’est pas publié au ${frenchDay(issue.day)}\u00a0: saisissez-le, ou acceptez sa dernière valeur.`,
        href: places.indexes,
      }
    case 'noAcciseClass':
      return {
        sentence: `${names.member(issue.member)} n’a pas de catégorie d’accise, et achète à une installation qui la doit.`,
        href: '/advanced-billing?tab=buyers',
      }
    case 'noAcciseRate':
      return {
        sentence: `Aucun tarif de l’accise pour la catégorie ${issue.class} le ${frenchDay(issue.day)}.`,
        href: '/advanced-billing?tab=settings',
      }
    case 'noKva':
      return {
        sentence: `${names.member(issue.member)} doit un frais par kVA, et sa puissance souscrite n’est pas renseignée.`,
        href: places.participants,
      }
    case 'noVatMode':
      return {
        sentence: `Le régime de TVA de ${names.seller(issue.seller)} n’est pas renseigné au ${frenchDay(issue.day)}.`,
        href: places.parties,
      }
  }
}

/** A producer of whom nobody said in whose name it sells. */
const sellerless = (issue: Issue) =>
  issue.code === 'unknownReference' && issue.what === 'producer' && issue.target === ''

export function issueItem(issue: Issue, names: Names, places: Places): CheckItem {
  if (sellerless(issue) && 'id' in issue)
    return {
      code: 'noSeller',
      level: 'blocking',
      sentence: `${names.producer(issue.id)} n’a pas de vendeur\u00a0: dites au nom de qui son énergie est facturée.`,
      href: places.parties,
    }
  const told = 'what' in issue ? absurd(issue, places) : words(issue, names, places)
  return { code: issue.code, level: 'blocking', ...told }
}
