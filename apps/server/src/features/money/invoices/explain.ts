import { of } from '@voisol/contract/elision'
import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { KIND_WORDS, SOURCE_WORDS } from '@voisol/contract/money'
import { centsPerKwh, euros, frenchDecimal, kwh, percent } from '../../../papers/decimals.ts'
import { coverageOf } from '../../../papers/invoice-pdf-energy.ts'
import { longDay, spanWords } from '../../../papers/words.ts'

export type Sentence = { about: string; text: string }
type Snapshot = InvoiceSnapshot
type EnergyLine = Extract<SnapshotLine, { kind: 'energy' }>

const NBSP = '\u00a0'
const OPENINGS: Record<Snapshot['kind'], string> = {
  invoice: 'Cette facture',
  complement: 'Cette facture complémentaire',
  creditNote: 'Cet avoir',
  statement: 'Ce relevé',
}
const quoted = (text: string) => `«${NBSP}${text}${NBSP}»`
/** « de mai 2026 », « d’avril 2026 », « du 1er au 14 mai ». */
const ofSpan = (span: { from: string; to: string }) => {
  const words = spanWords(span)
  return words.startsWith('du ') ? words : of(words)
}

/** A reason is typed with or without its full stop. */
const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

function what(snapshot: Snapshot): Sentence[] {
  const { kind, seller, operation, mandate, corrects } = snapshot
  const from = `${OPENINGS[kind]} concerne l’électricité locale ${ofSpan(snapshot)}, partagée dans l’opération ${quoted(operation.name)} et vendue par ${seller.name}.`
  const told = `${OPENINGS[kind]} présente l’électricité locale ${ofSpan(snapshot)} que l’opération ${quoted(operation.name)} a partagée avec vous.`
  const by = mandate ? ` ${mandate.by} l’établit au nom et pour le compte de ${seller.name}.` : ''
  const whose = kind === 'creditNote' ? 'Il' : 'Elle'
  const correction = corrects
    ? [
        {
          about: 'correction',
          text: `${whose} corrige le document ${corrects.number} du ${longDay(corrects.issuedOn)}${NBSP}: ${ended(corrects.reason)}`,
        },
      ]
    : []
  return [{ about: 'document', text: (kind === 'statement' ? told : from) + by }, ...correction]
}

/** How much was local, and who bills the rest. */
function energy({ points, corrects }: Snapshot): Sentence[] {
  if (!points.length || corrects) return []
  const { local, total, bp } = coverageOf(points)
  if (total === null || bp === null)
    return [{ about: 'local', text: `${kwh(local)} de votre consommation venaient de la production locale.` }]
  const share = `${kwh(local)} venaient de la production locale, soit ${frenchDecimal(bp, 1)}${NBSP}%`
  return [
    { about: 'local', text: `Vous avez consommé ${kwh(total)}${NBSP}: ${share}.` },
    {
      about: 'complement',
      text: `Le complément, ${kwh(Math.max(0, total - local))}, est fourni et facturé par votre fournisseur d’électricité, à part de ce document.`,
    },
  ]
}

const isEnergy = (line: SnapshotLine): line is EnergyLine => line.kind === 'energy'

function indexWords({ trace: { p0, index } }: EnergyLine): string {
  if (!index) return ''
  const bound = index.cap !== undefined || index.floor !== undefined ? ', dans les bornes prévues' : ''
  return ` Ce prix suit un indice${NBSP}: ${centsPerKwh(p0)} au départ, quand l’indice valait ${index.base.replace('.', ',')}\u00a0; il vaut ${index.value.replace('.', ',')}${bound}.`
}

/** One sentence for each price: lines of one price are read together. */
function prices({ lines, corrects }: Snapshot): Sentence[] {
  if (corrects) return changes(lines)
  return [...Map.groupBy(lines.filter(isEnergy), ({ price }) => price)].map(([price, own]) => {
    const [wh, net] = [own.reduce((sum, line) => sum + line.wh, 0), own.reduce((sum, line) => sum + line.net, 0)]
    const [first] = own
    const how = first ? indexWords(first) : ''
    if (price === 0) return { about: 'price', text: `${kwh(wh)} vous sont fournis gratuitement, à 0${NBSP}€ le kWh.` }
    return { about: 'price', text: `${kwh(wh)} à ${centsPerKwh(price)} hors taxes font ${euros(net)}.${how}` }
  })
}

/** What was printed before is taken back whole, and printed anew. */
function changes(lines: readonly SnapshotLine[]): Sentence[] {
  const ofRole = (role: 'cancel' | 'replace') => lines.filter((line) => isEnergy(line) && line.role === role)
  const wh = (role: 'cancel' | 'replace') =>
    Math.abs(ofRole(role).reduce((sum, line) => sum + ('wh' in line ? line.wh : 0), 0))
  if (!ofRole('cancel').length && !ofRole('replace').length) return []
  return [
    {
      about: 'change',
      text: `${kwh(wh('cancel'))} avaient été facturés\u00a0; le calcul refait en donne ${kwh(wh('replace'))}.`,
    },
  ]
}

function others({ lines, allowances, corrects }: Snapshot): Sentence[] {
  const accise = lines.filter(({ kind }) => kind === 'accise').reduce((sum, { net }) => sum + net, 0)
  const taxed = accise ? [{ about: 'accise', text: `L’accise sur l’électricité ajoute ${euros(accise)}.` }] : []
  const rest = lines.filter(({ kind }) => kind === 'fee' || kind === 'service')
  return [
    ...taxed,
    ...rest.map(({ label, net }) => ({ about: 'fee', text: `${label}${NBSP}: ${euros(net)} hors taxes.` })),
    ...allowances.map(({ label, amount }) => ({
      about: 'allowance',
      text: `${label}${NBSP}: ${euros(amount)} ${corrects ? 'de différence' : 'en moins'}.`,
    })),
  ]
}

function tax({ vat, seller, kind }: Snapshot): Sentence[] {
  if (kind === 'statement') return []
  const charged = vat.filter(({ category }) => category === 'S')
  if (charged.length)
    return charged.map(({ rate, tax: cents, base }) => ({
      about: 'tax',
      text: `La TVA de ${percent(rate)} sur ${euros(base)} fait ${euros(cents)}.`,
    }))
  const why: Record<string, string> = {
    exempt: `${seller.name} est en franchise de TVA${NBSP}: aucune taxe ne s’ajoute.`,
    outside: `La vente est hors du champ de la TVA${NBSP}: aucune taxe ne s’ajoute.`,
    elsewhere: 'La TVA est collectée par votre fournisseur\u00a0: aucune ne s’ajoute ici.',
  }
  return [{ about: 'tax', text: why[seller.vatMode] ?? 'Aucune taxe ne s’ajoute.' }]
}

function sumOf({ kind, totals, dueOn, debit }: Snapshot): Sentence {
  const gross = euros(totals.gross)
  if (kind === 'statement') return { about: 'total', text: 'Vous n’avez rien à payer.' }
  if (kind === 'creditNote') return { about: 'total', text: `${gross} sont déduits de ce que vous devez.` }
  if (debit) {
    const text = `${gross}, toutes taxes comprises, seront prélevés le ${longDay(debit.collectionOn)} sur votre compte finissant par ${debit.ibanEnd} (mandat ${debit.rum})${NBSP}: vous n’avez rien à faire.`
    return { about: 'total', text }
  }
  return { about: 'total', text: `Vous devez ${gross}, toutes taxes comprises, au plus tard le ${longDay(dueOn)}.` }
}

function sources({ points, lines }: Snapshot): Sentence[] {
  const used = new Set([...points.map(({ source }) => source), ...lines.filter(isEnergy).map(({ source }) => source)])
  const words: Record<string, string> = {
    distributor: `Enedis a réparti et publié ces quantités (${SOURCE_WORDS.distributor}).`,
    definitive: `Voisol a réparti les relevés d’Enedis selon la clé de l’opération (${SOURCE_WORDS.definitive}).`,
    provisional: `Une partie des quantités est encore provisoire\u00a0: une régularisation pourra suivre, en plus ou en moins.`,
  }
  return [...used].flatMap((source) => (words[source] ? [{ about: 'source', text: words[source] }] : []))
}

/** A document told in plain words, from its snapshot alone: the same in the back office and in the portal. */
export const sentencesOf = (snapshot: Snapshot): Sentence[] => [
  ...what(snapshot),
  ...energy(snapshot),
  ...prices(snapshot),
  ...others(snapshot),
  ...tax(snapshot),
  sumOf(snapshot),
  ...sources(snapshot),
]

export const titleOf = ({ kind, number }: Pick<Snapshot, 'kind' | 'number'>) => `${KIND_WORDS[kind]} ${number}`
