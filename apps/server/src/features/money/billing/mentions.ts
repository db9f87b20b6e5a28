import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { BuyerKind, VatMode } from '@voisol/contract/money'
import type { Document } from '@voisol/money/document'
import type { HeldSettings } from '../settings/settings.ts'

type Mentions = InvoiceSnapshot['mentions']
export type About = {
  document: Document
  statement: boolean
  mode: VatMode
  buyer: BuyerKind
  /** Who makes it in whose name; null where the seller makes its own. */
  mandate: { by: string; seller: string } | null
}
type Name = Extract<keyof HeldSettings, `mention.${string}`>

/** The legal sentences of a document, each under the name of its setting, in the order in which they are printed. */
export function mentionsOf(settings: HeldSettings, { document, statement, mode, buyer, mandate }: About): Mentions {
  const energy = document.lines.filter((line) => line.kind === 'energy')
  const fees = document.lines.some(({ kind }) => kind === 'fee')
  const text = (name: Name): Mentions[number] => ({ name, text: settings[name].value })
  const when = (so: boolean, name: Name): Mentions => (so ? [text(name)] : [])
  const outside = document.vat.some(({ category }) => category === 'O')
  const category = energy.length ? (fees ? 'mention.categoryMixed' : 'mention.category') : 'mention.categoryServices'
  const between = !statement && buyer !== 'person'
  return [
    ...(mandate ? [under(text('mention.mandate'), mandate)] : []),
    ...when(!statement, category),
    ...when(mode === 'exempt' && !outside, 'mention.exempt'),
    ...when(outside, 'mention.outside'),
    ...when(mode === 'elsewhere' && !outside, 'mention.elsewhere'),
    ...when(
      energy.some(({ liable }) => !liable),
      'mention.acciseZero',
    ),
    ...when(energy.length > 0, 'mention.complement'),
    ...(energy.some((line) => line.source === 'provisional') ? [PROVISIONAL] : []),
    ...when(between, 'mention.penalties'),
    ...when(between, 'mention.recovery'),
    ...when(!statement, 'mention.discount'),
    ...(statement ? [STATEMENT] : []),
  ]
}

const under = ({ name, text }: Mentions[number], { by, seller }: { by: string; seller: string }) => ({
  name,
  text: text.replace('{PMO}', by).replace('{producteur}', seller),
})

const PROVISIONAL = { name: 'source.provisional', text: 'Quantités provisoires, susceptibles de régularisation.' }
const STATEMENT = { name: 'statement', text: 'Ce relevé n’est pas une facture\u00a0: il n’appelle aucun paiement.' }

/** Days until it is due: what the company chose, within what the law allows this buyer. */
export function dueDaysFor(settings: HeldSettings, buyer: BuyerKind): number {
  const own = settings['due.days'].value
  if (buyer === 'company') return Math.min(own, settings['due.daysBusiness'].value)
  return buyer === 'public' ? Math.min(own, settings['due.daysPublic'].value) : own
}
