import { withDe } from '@voisol/contract/elision'
import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { ENERGY_SOURCE_LABELS, INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { computeLocalCoverage } from '@voisol/documents/invoice-pdf-energy'
import {
  formatBasisPoints,
  formatEuros,
  formatFrenchDecimal,
  formatLongDay,
  formatPeriod,
  formatPricePerKwh,
  formatWhAsKwh,
} from '@voisol/documents/number-and-date-formats'

type Sentence = { about: string; text: string }
type Snapshot = InvoiceSnapshot
type EnergyLine = Extract<SnapshotLine, { kind: 'energy' }>

const NBSP = '\u00a0'
const DOCUMENT_SUBJECTS: Record<Snapshot['kind'], string> = {
  invoice: 'Cette facture',
  complement: 'Cette facture complémentaire',
  creditNote: 'Cet avoir',
  statement: 'Ce relevé',
}
const quote = (text: string) => `«${NBSP}${text}${NBSP}»`
/** « de mai 2026 », « d’avril 2026 », « du 1er au 14 mai ». */
const formatOfPeriod = (period: { from: string; to: string }) => {
  const words = formatPeriod(period)
  return words.startsWith('du ') ? words : withDe(words)
}

/** A reason may be typed with or without its full stop. */
const withFullStop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

function explainSubject(snapshot: Snapshot): Sentence[] {
  const { kind, seller, operation, mandate, corrects } = snapshot
  const invoiceText = `${DOCUMENT_SUBJECTS[kind]} concerne l’électricité locale ${formatOfPeriod(snapshot)}, partagée dans l’opération ${quote(operation.name)} et vendue par ${seller.name}.`
  const statementText = `${DOCUMENT_SUBJECTS[kind]} présente l’électricité locale ${formatOfPeriod(snapshot)} que l’opération ${quote(operation.name)} a partagée avec vous.`
  const by = mandate ? ` ${mandate.by} l’établit au nom et pour le compte de ${seller.name}.` : ''
  const pronoun = kind === 'creditNote' ? 'Il' : 'Elle'
  const correction = corrects
    ? [
        {
          about: 'correction',
          text: `${pronoun} corrige le document ${corrects.number} du ${formatLongDay(corrects.issuedOn)}${NBSP}: ${withFullStop(corrects.reason)}`,
        },
      ]
    : []
  return [{ about: 'document', text: (kind === 'statement' ? statementText : invoiceText) + by }, ...correction]
}

/** The local share of consumption, and who bills the rest. */
function explainEnergy({ points, corrects }: Snapshot): Sentence[] {
  if (!points.length || corrects) return []
  const { local, total, bp } = computeLocalCoverage(points)
  if (total === null || bp === null)
    return [{ about: 'local', text: `${formatWhAsKwh(local)} de votre consommation venaient de la production locale.` }]
  const share = `${formatWhAsKwh(local)} venaient de la production locale, soit ${formatFrenchDecimal(bp, 1)}${NBSP}%`
  return [
    { about: 'local', text: `Vous avez consommé ${formatWhAsKwh(total)}${NBSP}: ${share}.` },
    {
      about: 'complement',
      text: `Le complément, ${formatWhAsKwh(Math.max(0, total - local))}, est fourni et facturé par votre fournisseur d’électricité, à part de ce document.`,
    },
  ]
}

const isEnergyLine = (line: SnapshotLine): line is EnergyLine => line.kind === 'energy'

function explainIndex({ trace: { p0, index } }: EnergyLine): string {
  if (!index) return ''
  const bound = index.cap !== undefined || index.floor !== undefined ? ', dans les bornes prévues' : ''
  return ` Ce prix suit un indice${NBSP}: ${formatPricePerKwh(p0)} au départ, quand l’indice valait ${index.base.replace('.', ',')}\u00a0; il vaut ${index.value.replace('.', ',')}${bound}.`
}

/** One sentence per price: lines with the same price are merged. */
function explainPrices({ lines, corrects }: Snapshot): Sentence[] {
  if (corrects) return explainChanges(lines)
  return [...Map.groupBy(lines.filter(isEnergyLine), ({ price }) => price)].map(([price, own]) => {
    const [wh, net] = [own.reduce((sum, line) => sum + line.wh, 0), own.reduce((sum, line) => sum + line.net, 0)]
    const [first] = own
    const how = first ? explainIndex(first) : ''
    if (price === 0)
      return { about: 'price', text: `${formatWhAsKwh(wh)} vous sont fournis gratuitement, à 0${NBSP}€ le kWh.` }
    return {
      about: 'price',
      text: `${formatWhAsKwh(wh)} à ${formatPricePerKwh(price)} hors taxes font ${formatEuros(net)}.${how}`,
    }
  })
}

/** A correction cancels the earlier lines whole and prints new ones. */
function explainChanges(lines: readonly SnapshotLine[]): Sentence[] {
  const ofRole = (role: 'cancel' | 'replace') => lines.filter((line) => isEnergyLine(line) && line.role === role)
  const wh = (role: 'cancel' | 'replace') =>
    Math.abs(ofRole(role).reduce((sum, line) => sum + ('wh' in line ? line.wh : 0), 0))
  if (!ofRole('cancel').length && !ofRole('replace').length) return []
  return [
    {
      about: 'change',
      text: `${formatWhAsKwh(wh('cancel'))} avaient été facturés\u00a0; le calcul refait en donne ${formatWhAsKwh(wh('replace'))}.`,
    },
  ]
}

function explainOtherLines({ lines, allowances, corrects }: Snapshot): Sentence[] {
  const accise = lines.filter(({ kind }) => kind === 'accise').reduce((sum, { net }) => sum + net, 0)
  const taxed = accise ? [{ about: 'accise', text: `L’accise sur l’électricité ajoute ${formatEuros(accise)}.` }] : []
  const rest = lines.filter(({ kind }) => kind === 'fee' || kind === 'service')
  return [
    ...taxed,
    ...rest.map(({ label, net }) => ({ about: 'fee', text: `${label}${NBSP}: ${formatEuros(net)} hors taxes.` })),
    ...allowances.map(({ label, amount }) => ({
      about: 'allowance',
      text: `${label}${NBSP}: ${formatEuros(amount)} ${corrects ? 'de différence' : 'en moins'}.`,
    })),
  ]
}

function explainTax({ vat, seller, kind }: Snapshot): Sentence[] {
  if (kind === 'statement') return []
  const charged = vat.filter(({ category }) => category === 'S')
  if (charged.length)
    return charged.map(({ rate, tax: cents, base }) => ({
      about: 'tax',
      text: `La TVA de ${formatBasisPoints(rate)} sur ${formatEuros(base)} fait ${formatEuros(cents)}.`,
    }))
  const why: Record<string, string> = {
    exempt: `${seller.name} est en franchise de TVA${NBSP}: aucune taxe ne s’ajoute.`,
    outside: `La vente est hors du champ de la TVA${NBSP}: aucune taxe ne s’ajoute.`,
    elsewhere: 'La TVA est collectée par votre fournisseur\u00a0: aucune ne s’ajoute ici.',
  }
  return [{ about: 'tax', text: why[seller.vatMode] ?? 'Aucune taxe ne s’ajoute.' }]
}

function explainTotal({ kind, totals, dueOn, debit }: Snapshot): Sentence {
  const gross = formatEuros(totals.gross)
  if (kind === 'statement') return { about: 'total', text: 'Vous n’avez rien à payer.' }
  if (kind === 'creditNote') return { about: 'total', text: `${gross} sont déduits de ce que vous devez.` }
  if (debit) {
    const text = `${gross}, toutes taxes comprises, seront prélevés le ${formatLongDay(debit.collectionOn)} sur votre compte finissant par ${debit.ibanEnd} (mandat ${debit.rum})${NBSP}: vous n’avez rien à faire.`
    return { about: 'total', text }
  }
  return {
    about: 'total',
    text: `Vous devez ${gross}, toutes taxes comprises, au plus tard le ${formatLongDay(dueOn)}.`,
  }
}

function explainSources({ points, lines }: Snapshot): Sentence[] {
  const used = new Set([
    ...points.map(({ source }) => source),
    ...lines.filter(isEnergyLine).map(({ source }) => source),
  ])
  const words: Record<string, string> = {
    distributor: `Enedis a réparti et publié ces quantités (${ENERGY_SOURCE_LABELS.distributor}).`,
    definitive: `Voisol a réparti les relevés d’Enedis selon la clé de l’opération (${ENERGY_SOURCE_LABELS.definitive}).`,
    provisional: `Une partie des quantités est encore provisoire\u00a0: une régularisation pourra suivre, en plus ou en moins.`,
  }
  return [...used].flatMap((source) => (words[source] ? [{ about: 'source', text: words[source] }] : []))
}

/** Explains a document in plain words from its snapshot alone, the same in the back office and in the portal. */
export const explainSnapshot = (snapshot: Snapshot): Sentence[] => [
  ...explainSubject(snapshot),
  ...explainEnergy(snapshot),
  ...explainPrices(snapshot),
  ...explainOtherLines(snapshot),
  ...explainTax(snapshot),
  explainTotal(snapshot),
  ...explainSources(snapshot),
]

export const formatDocumentTitle = ({ kind, number }: Pick<Snapshot, 'kind' | 'number'>) =>
  `${INVOICE_KIND_LABELS[kind]} ${number}`
