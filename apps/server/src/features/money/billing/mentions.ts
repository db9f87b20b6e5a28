import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { BuyerKind, VatMode } from '@voisol/contract/money'
import type { BillingDocument } from '@voisol/money/document'
import type { EffectiveSettings } from '../settings/settings.ts'

type Mentions = InvoiceSnapshot['mentions']
export type MentionSubject = {
  document: BillingDocument
  statement: boolean
  mode: VatMode
  buyer: BuyerKind
  /** Who issues in whose name; null when the seller issues its own documents. */
  mandate: { by: string; seller: string } | null
}
type MentionName = Extract<keyof EffectiveSettings, `mention.${string}`>

/** The legal sentences of a document, each under its setting's name, in print order. */
export function buildMentions(
  settings: EffectiveSettings,
  { document, statement, mode, buyer, mandate }: MentionSubject,
): Mentions {
  const energy = document.lines.filter((line) => line.kind === 'energy')
  const fees = document.lines.some(({ kind }) => kind === 'fee')
  const text = (name: MentionName): Mentions[number] => ({ name, text: settings[name].value })
  const mentionIf = (so: boolean, name: MentionName): Mentions => (so ? [text(name)] : [])
  const outside = document.vat.some(({ category }) => category === 'O')
  const category = energy.length ? (fees ? 'mention.categoryMixed' : 'mention.category') : 'mention.categoryServices'
  const isProfessionalInvoice = !statement && buyer !== 'person'
  return [
    ...(mandate ? [fillMandateMention(text('mention.mandate'), mandate)] : []),
    ...mentionIf(!statement, category),
    ...mentionIf(mode === 'exempt' && !outside, 'mention.exempt'),
    ...mentionIf(outside, 'mention.outside'),
    ...mentionIf(mode === 'elsewhere' && !outside, 'mention.elsewhere'),
    ...mentionIf(
      energy.some(({ liable }) => !liable),
      'mention.acciseZero',
    ),
    ...mentionIf(energy.length > 0, 'mention.complement'),
    ...(energy.some((line) => line.source === 'provisional') ? [PROVISIONAL_MENTION] : []),
    ...mentionIf(isProfessionalInvoice, 'mention.penalties'),
    ...mentionIf(isProfessionalInvoice, 'mention.recovery'),
    ...mentionIf(!statement, 'mention.discount'),
    ...(statement ? [STATEMENT_MENTION] : []),
  ]
}

const fillMandateMention = ({ name, text }: Mentions[number], { by, seller }: { by: string; seller: string }) => ({
  name,
  text: text.replace('{PMO}', by).replace('{producteur}', seller),
})

const PROVISIONAL_MENTION = {
  name: 'source.provisional',
  text: 'Quantités provisoires, susceptibles de régularisation.',
}
const STATEMENT_MENTION = {
  name: 'statement',
  text: 'Ce relevé n’est pas une facture\u00a0: il n’appelle aucun paiement.',
}

/** Days before the due date: the company's choice, within the legal limit for this kind of buyer. */
export function computeDueDays(settings: EffectiveSettings, buyer: BuyerKind): number {
  const own = settings['due.days'].value
  if (buyer === 'company') return Math.min(own, settings['due.daysBusiness'].value)
  return buyer === 'public' ? Math.min(own, settings['due.daysPublic'].value) : own
}
